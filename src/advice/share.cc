#include "advice/share.h"

#include <fmt/format.h>

namespace ridge::advice {

std::string share_text(double ns, const profile::Profile& run) {
  double layers = 0;
  for (const profile::Layer& layer : run.layers) layers += layer.corrected_ns;
  const double latency = run.latency.ns.median;
  if (layers <= latency && ns <= latency)
    return fmt::format("{:.0f} % of the run", 100 * ns / latency);
  if (ns <= layers) return fmt::format("{:.0f} % of the layers' time", 100 * ns / layers);
  return "more than a run without the profiler takes";
}

}  // namespace ridge::advice
