// SPDX-License-Identifier: Apache-2.0
#include "compare/drift.h"

#include <algorithm>
#include <cmath>

#include "compare/run_labels.h"
#include "stats/normal.h"
#include "stats/samples.h"

namespace ridge::compare {
namespace {

using profile::Profile;
using profile::ReferenceRange;

std::vector<double> readings_of(const Profile& run, const std::string& kernel) {
  std::vector<double> out;
  for (const profile::ReferenceTime& t : run.reference)
    if (t.kernel == kernel && t.ns > 0) out.push_back(static_cast<double>(t.ns));
  return out;
}

std::vector<double> latencies_of(const Profile& run) {
  std::vector<double> out;
  for (const profile::Process& process : run.latency.processes)
    if (!process.samples_ns.empty())
      out.push_back(stats::median(stats::as_doubles(process.samples_ns)));
  return out;
}

double upper(const Scatter& scatter) {
  constexpr double kQuantile = 0.975;
  return scatter.deviation * stats::student_quantile(kQuantile, scatter.freedom) /
         stats::normal_quantile(kQuantile);
}

}  // namespace

ReferenceRange Drift::Kernel::both() const {
  return {first.kernel, std::min(first.min_ns, second.min_ns),
          std::max(first.max_ns, second.max_ns)};
}

double Drift::share(const std::optional<Scatter>& scatter) const {
  double most = 0;
  for (const Kernel& kernel : kernels) {
    const bool known = scatter && kernel.scatter && kernel.scatter->deviation > 0;
    const double felt = known ? std::min(1.0, upper(*scatter) / kernel.scatter->deviation) : 1;
    most = std::max(most, std::pow(1 + kernel.both().share(), felt) - 1);
  }
  return most;
}

bool Drift::covers(double ratio, const std::optional<Scatter>& scatter) const {
  return ratio > 0 && std::max(ratio, 1 / ratio) - 1 <= share(scatter);
}

std::optional<Scatter> scatter_within(std::span<const double> first,
                                      std::span<const double> second) {
  double squares = 0, freedom = 0;
  for (const std::span<const double> group : {first, second}) {
    std::vector<double> logarithms;
    for (const double value : group) {
      if (!(value > 0)) return std::nullopt;
      logarithms.push_back(std::log(value));
    }
    if (group.size() < 2) continue;
    const double d = stats::deviation(logarithms), free = static_cast<double>(group.size() - 1);
    squares += d * d * free;
    freedom += free;
  }
  if (freedom == 0) return std::nullopt;
  return Scatter{std::sqrt(squares / freedom), freedom};
}

std::optional<Drift> drift_between(const Profile& first, const Profile& second) {
  if (facts_of(first).machine != facts_of(second).machine) return std::nullopt;
  Drift out;
  const std::vector<ReferenceRange> others = reference_ranges(second.reference);
  for (const ReferenceRange& one : reference_ranges(first.reference))
    for (const ReferenceRange& other : others)
      if (one.kernel == other.kernel)
        out.kernels.push_back(
            {one, other,
             scatter_within(readings_of(first, one.kernel), readings_of(second, one.kernel))});
  if (out.kernels.empty()) return std::nullopt;
  out.latency_scatter = scatter_within(latencies_of(first), latencies_of(second));
  return out;
}

}  // namespace ridge::compare
