// SPDX-License-Identifier: Apache-2.0
#include "lab/submit/lab_reader.h"

#include <utility>

#include "base/file.h"
#include "base/toml.h"
#include "lab/submit/describe_lab.h"
#include "record/toml.h"

namespace ridge::lab {

Result<Lab> parse_lab(std::string_view text) { return record::read_toml<Lab>(text); }

Result<Lab> read_lab(const std::string& path) {
  const std::string text = TRY(read_file(path, kMaxTomlBytes));
  Result<Lab> lab = parse_lab(text);
  if (lab.ok()) return lab;
  return std::move(lab).error().in_file(path);
}

}  // namespace ridge::lab
