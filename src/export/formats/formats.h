// SPDX-License-Identifier: Apache-2.0
// All formats that `ridge export` writes, with the programs that read them: one sorted table.
//
//   const Format* f = find_format("perfetto");
//   TRY(f->write({profile, nullptr, …}, sink));
//
// A new format needs a file in this folder and a row in formats.cc.
#pragma once

#include <span>
#include <string_view>

#include "base/result.h"
#include "base/sink.h"
#include "export/formats/model_explorer.h"
#include "export/formats/netron.h"

namespace ridge::exports {

enum class NeedsModel : bool { kNo, kYes };

struct ExportRequest {
  const profile::Profile& profile;
  const graph::Model* model = nullptr;  ///< passed check_model(); set where the format needs it
  NodeMetric metric = NodeMetric::kTime;
  CopyLies lies = CopyLies::kElsewhere;
};

struct Format {
  std::string_view name;
  std::string_view ending;   ///< usual file extension: ".pftrace"
  std::string_view holds;    ///< content, in a few words
  std::string_view viewers;  ///< programs that read it
  NeedsModel model = NeedsModel::kNo;
  Result<void> (*write)(const ExportRequest& request, Sink& sink) = nullptr;
  bool binary = false;  ///< not written to a terminal
};

std::span<const Format> formats();
/// Format of that name, or nullptr.
const Format* find_format(std::string_view name);
/// Format whose extension `path` has; nullptr where there are none or several.
const Format* format_of_file(std::string_view path);

}  // namespace ridge::exports
