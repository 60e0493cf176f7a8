// SPDX-License-Identifier: Apache-2.0
#include "export/analysis/traffic_text.h"

#include <fmt/format.h>

#include <array>

#include "base/text.h"
#include "export/analysis/figure_text.h"

namespace ridge::exports {
namespace {

std::string_view origin(std::string_view cache_from) {
  if (cache_from == "machine") return ", this machine's last level";
  return cache_from == "assumed" ? ", assumed" : "";
}

std::string_view fusion_text(analysis::Fuse fuse) {
  switch (fuse) {
    case analysis::Fuse::kNone:
      return "every operator by itself";
    case analysis::Fuse::kEpilogue:
      return "element-wise chains fused";
    case analysis::Fuse::kRuntime:
      break;
  }
  return "fused as a runtime does";
}

}  // namespace

std::string cache_text(std::int64_t bytes) {
  constexpr std::array<std::string_view, 4> kUnits = {"B", "KiB", "MiB", "GiB"};
  std::size_t unit = 0;
  while (unit + 1 < kUnits.size() && bytes != 0 && bytes % 1024 == 0) {
    bytes /= 1024;
    ++unit;
  }
  return fmt::format("{} {}", bytes, kUnits[unit]);
}

std::vector<std::vector<std::string>> traffic_rows(const TrafficView& view) {
  const analysis::Traffic& t = view.traffic;
  const std::string lacks = t.totals.incomplete ? "; some nodes are not known" : "";
  const auto bytes = [&](std::int64_t sum) {
    if (!t.totals.incomplete) return readable(sum, "B");
    return sum == 0 ? "?" : ">= " + readable(sum, "B");
  };
  const std::string how = fmt::format("{}{}", fusion_text(t.model.fuse), lacks);
  std::vector<std::vector<std::string>> rows = {
      {"expected", bytes(t.totals.expected),
       fmt::format("with a cache of {}{}, {}", cache_text(t.model.cache_bytes),
                   origin(view.cache_from), how)},
      {"at most", bytes(t.totals.most), "without a cache, " + how},
      {"at least", bytes(t.totals.least), "inputs and weights once, outputs once" + lacks}};
  if (t.totals.fused > 0)
    rows.push_back({"activations", readable(t.totals.peak_activation_bytes, "B"),
                    fmt::format("peak of live tensors with {} fused into another",
                                counted(t.totals.fused, "node"))});
  return rows;
}

std::span<const std::string_view> cache_sources() {
  static constexpr std::array<std::string_view, 3> kSources = {"given", "machine", "assumed"};
  return kSources;
}

TrafficAssumptions traffic_assumptions(const TrafficView& view) {
  const analysis::Traffic& t = view.traffic;
  return {.cache_bytes = t.model.cache_bytes,
          .cache_from = view.cache_from,
          .fuse = t.model.fuse,
          .fused_nodes = t.totals.fused,
          .peak_activation_bytes = t.totals.peak_activation_bytes};
}

}  // namespace ridge::exports
