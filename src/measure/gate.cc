#include "measure/gate.h"

#include <algorithm>

#include "stats/warmup.h"

namespace ridge::measure {
namespace {

/// A tenth of a processor is what an idle system uses (tickless kernel threads, a monitor).
constexpr double kIdleLoad = 0.10;

}  // namespace

Kept gate(const ProcessRuns& process, const Host& host) {
  const std::size_t count = std::min(process.plain.size(), process.profiled.size());
  std::vector<double> walls;
  for (std::size_t i = 0; i < count; ++i)
    walls.push_back(static_cast<double>(process.plain[i].wall_ns));

  Kept kept;
  const stats::Warmup warmup = stats::detect_warmup(walls);
  kept.warmup = count > kLeastPairs ? std::min(warmup.drop, count - kLeastPairs) : 0;
  kept.steadiness = stats::name(warmup.verdict);

  const double allowed = std::max(0, host.processors - host.threads) + kIdleLoad;
  const auto load = [&](std::size_t i) {
    return std::max(process.plain[i].foreign_cpus, process.profiled[i].foreign_cpus);
  };
  std::vector<std::size_t> order;
  for (std::size_t i = kept.warmup; i < count; ++i) order.push_back(i);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return load(a) < load(b); });

  for (const std::size_t i : order) {
    const bool quiet = load(i) <= allowed;
    if (!quiet && kept.pairs.size() >= kLeastPairs) continue;
    kept.pairs.push_back(i);
    kept.busy |= !quiet;
  }
  kept.disturbed = order.size() - kept.pairs.size();
  std::sort(kept.pairs.begin(), kept.pairs.end());
  return kept;
}

}  // namespace ridge::measure
