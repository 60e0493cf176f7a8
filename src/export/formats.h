// Every format that `ridge export` writes, with what reads it: one sorted table.
//
//   const Format* f = find_format("perfetto");
//   TRY(f->write({profile, nullptr, …}, sink));
//
// Adding one: its file in this folder, its row in formats.cc.
#pragma once

#include <span>
#include <string_view>

#include "base/result.h"
#include "base/sink.h"
#include "export/model_explorer.h"
#include "export/netron.h"

namespace ridge::exports {

enum class NeedsModel : bool { kNo, kYes };

struct ExportRequest {
  const profile::Profile& profile;
  const graph::Model* model = nullptr;  ///< checked; set where the format needs it
  NodeMetric metric = NodeMetric::kTime;
  CopyLies lies = CopyLies::kElsewhere;
};

struct Format {
  std::string_view name;
  std::string_view ending;   ///< of the file's usual name: ".pftrace"
  std::string_view holds;    ///< what it says of a run
  std::string_view viewers;  ///< what reads it
  NeedsModel model = NeedsModel::kNo;
  Result<void> (*write)(const ExportRequest& request, Sink& sink) = nullptr;
  bool binary = false;  ///< not for a terminal
};

std::span<const Format> formats();
/// nullptr where there is none of that name.
const Format* find_format(std::string_view name);
/// The only one whose files end like that; nullptr where there is none, or several are.
const Format* format_of_file(std::string_view path);

}  // namespace ridge::exports
