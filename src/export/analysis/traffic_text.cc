#include "export/analysis/traffic_text.h"

#include <fmt/format.h>

#include <array>
#include <optional>

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

/// "none", "epilogue", "runtime".
std::string_view fuse_name(analysis::Fuse fuse) {
  constexpr std::array<std::string_view, 3> kNames = {"none", "epilogue", "runtime"};
  return kNames[static_cast<std::size_t>(fuse)];
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

void write_traffic(JsonWriter& json, const TrafficView& view) {
  const analysis::Traffic& t = view.traffic;
  json.key("traffic").begin_object().key("cache_bytes").value(t.model.cache_bytes);
  json.key("cache_from").value(view.cache_from);
  json.key("fuse").value(fuse_name(t.model.fuse)).key("fused_nodes").value(t.totals.fused);
  json.key("peak_activation_bytes").value(t.totals.peak_activation_bytes).end_object();
}

void write_traffic_totals(JsonWriter& json, const TrafficView& view, TrafficSums which) {
  const analysis::Traffic::Totals& t = view.traffic.totals;
  const auto sum = [&](const char* key, std::int64_t bytes) {
    const bool shown = which == TrafficSums::kAtLeast || !t.incomplete;
    json.key(key).value(shown ? std::optional(bytes) : std::nullopt);
  };
  sum("bytes_min", t.least);
  sum("bytes_expected", t.expected);
  sum("bytes_max", t.most);
}

}  // namespace ridge::exports
