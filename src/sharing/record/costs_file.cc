// SPDX-License-Identifier: Apache-2.0
#include "sharing/record/costs_file.h"

#include <cstdint>
#include <utility>

#include "base/lines.h"
#include "base/toml.h"
#include "record/toml.h"
#include "sharing/record/describe_costs.h"

namespace ridge::sharing {

Result<CostTable> parse_costs(std::string_view toml) { return record::read_toml<CostTable>(toml); }

Result<CostTable> read_costs(const std::string& path) {
  const std::string text = TRY(read_text_file(path, static_cast<std::int64_t>(kMaxTomlBytes)));
  Result<CostTable> costs = parse_costs(text);
  if (costs.ok()) return costs;
  return std::move(costs).error().in_file(path);
}

}  // namespace ridge::sharing
