// SPDX-License-Identifier: Apache-2.0
#include "report/advice/arrows.h"

#include <algorithm>
#include <map>
#include <optional>

#include "profile/rows.h"

namespace ridge::report {

GainArrow gain_arrow(const AdviceView& view, const advice::Finding& finding) {
  GainArrow out;
  const std::optional<KnownGain> gain = known_gain(finding.gain_ns, finding.check);
  if (!gain) return {.why_not = "its gain is unknown"};
  const std::vector<std::size_t> layers = view.layers_with(finding.nodes);
  if (layers.empty()) return {.why_not = "none of its nodes has a layer"};
  double operations = 0, bytes = 0;
  std::map<std::string, double> by_type;
  for (const std::size_t l : layers) {
    const profile::Layer& layer = view.run.layers[l];
    const std::optional<double> own = profile::operations(layer.work);
    if (!own || !layer.bytes) return {.why_not = "the work or bytes of its layers are unknown"};
    operations += *own;
    bytes += static_cast<double>(*layer.bytes);
    out.time_ns += layer.corrected_ns;
    by_type[layer.type] += layer.corrected_ns;
  }
  if (!(operations > 0 && bytes > 0 && out.time_ns > 0))
    return {.why_not = "its layers have no arithmetic or no time"};
  if (gain->ns.value >= out.time_ns) return {.why_not = "its gain exceeds the time of its layers"};
  out.layers = layers.size();
  out.intensity = operations / bytes;
  out.gain_ns = gain->ns.value;
  out.achieved = gain->achieved;
  out.now = operations / out.time_ns * 1e9;
  out.then = operations / (out.time_ns - out.gain_ns) * 1e9;
  out.type = std::ranges::max_element(by_type, {}, [](const auto& of) { return of.second; })->first;
  return out;
}

}  // namespace ridge::report
