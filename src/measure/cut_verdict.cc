// SPDX-License-Identifier: Apache-2.0
#include "measure/cut_verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "measure/collect.h"
#include "stats/change.h"
#include "stats/samples.h"

namespace ridge::measure {
namespace {

using stats::Estimate;

using profile::Profile;
using Blocks = std::vector<std::vector<double>>;

constexpr double kVerdictConfidence = 0.95;

/// Kernels of one side without a partner so far, in execution order.
struct Side {
  struct Row {
    std::string name, type;
    double ns = 0;
  };
  std::vector<Row> rows;

  void add(const profile::Kernel& k) { rows.push_back({without_numbers(k.name), k.type}); }
  bool take(auto&& alike) {
    const auto found = std::find_if(rows.begin(), rows.end(), alike);
    if (found == rows.end()) return false;
    rows.erase(found);
    return true;
  }
};

/// Comparison of a part's kernels with the kernels of the whole model's layers before the cut.
struct Beside {
  double inserted_ns = 0;            ///< time of kernels that only the part has
  bool boundary_before = false;      ///< layers without members at the cut are in the part too
  std::vector<std::string> missing;  ///< kernels of the whole model that the part lacks
};

/// Matches by name and type first, ignoring numbers that the runtime generates; then by type, in
/// order: the kernel that makes an output, and those inserted before it, may be named after the
/// output.
Beside beside(const Profile& p, const PlannedCut& cut, const std::vector<PartKernel>& kernels) {
  Beside out;
  if (kernels.empty()) return out;
  Side whole, at_cut, part;
  for (std::uint32_t l = 0; l < cut.layers + cut.boundary; ++l)
    for (const profile::Kernel& k : p.layers[l].kernels) (l < cut.layers ? whole : at_cut).add(k);
  for (const PartKernel& k : kernels)
    part.rows.push_back({without_numbers(k.name), k.type,
                         std::max(0.0, k.reported_ns - k.executions * p.profiling.event_share_ns)});
  std::erase_if(part.rows, [&](const Side::Row& k) {
    return whole.take([&](const auto& w) { return w.name == k.name && w.type == k.type; });
  });
  std::erase_if(part.rows, [&](const Side::Row& k) {
    return whole.take([&](const auto& w) { return w.type == k.type; });
  });
  for (const Side::Row& k : part.rows)
    if (at_cut.take([&](const auto& w) { return w.type == k.type; }))
      out.boundary_before = true;
    else
      out.inserted_ns += k.ns;
  for (const Side::Row& w : whole.rows)
    out.missing.push_back(fmt::format("{} ({})", w.name, w.type));
  return out;
}

/// Profiled time of the layers before a cut.
struct Said {
  double layers_ns = 0, outside_ns = 0;
  Blocks shares;  ///< by process and run: time before the cut / time of all layers
};

Said said(const Profile& p, std::uint32_t layers) {
  Said out;
  double executions = 0, all_executions = 0, all_ns = 0;
  for (std::uint32_t l = 0; l < p.layers.size(); ++l) {
    const auto n = static_cast<double>(p.layers[l].executions) *
                   static_cast<double>(p.layers[l].kernels.size());
    all_executions += n;
    all_ns += p.layers[l].corrected_ns;
    if (l >= layers) continue;
    executions += n;
    out.layers_ns += p.layers[l].corrected_ns;
  }
  // Gaps lie between kernels, so they go by executions: layers with 30 of 100 executions get 30 %.
  // The disturbance, what medians leave over, goes by time.
  if (all_executions > 0) out.outside_ns += p.profiling.gaps_ns * executions / all_executions;
  if (all_ns > 0) out.outside_ns += p.profiling.disturbance_ns * out.layers_ns / all_ns;

  std::size_t run = 0;
  for (const profile::Process& process : p.latency.processes) {
    std::vector<double>& block = out.shares.emplace_back();
    for (std::size_t i = 0; i < process.samples_ns.size(); ++i, ++run) {
      double before = 0, all = 0;
      for (std::uint32_t l = 0; l < p.layers.size(); ++l) {
        if (run >= p.layers[l].runs_ns.size()) continue;
        const auto ns = static_cast<double>(p.layers[l].runs_ns[run]);
        all += ns;
        if (l < layers) before += ns;
      }
      if (all > 0) block.push_back(before / all);
    }
  }
  return out;
}

/// ln(part / whole model) for each round.
Blocks log_ratios(const PartTimes& times) {
  Blocks out;
  for (std::size_t b = 0; b < times.part_ns.size(); ++b) {
    std::vector<double>& block = out.emplace_back();
    for (std::size_t i = 0; i < times.part_ns[b].size(); ++i)
      block.push_back(std::log(times.part_ns[b][i] / times.whole_ns[b][i]));
  }
  return out;
}

/// exp(median) * by - less, with an interval unless there are too few rounds for one.
Estimate scaled(const stats::BlockMedian& m, double by, double less) {
  const auto ns = [&](double logarithm) { return std::exp(logarithm) * by - less; };
  Estimate out{ns(m.value())};
  if (const auto ci = m.interval(kVerdictConfidence)) out.interval = {ns(ci->lo), ns(ci->hi)};
  return out;
}

/// (said - taken) / latency, with interval.
Estimate relative_difference(const Said& said, const Estimate& part_ns, double latency_ns) {
  const stats::BlockMedian share(said.shares);
  // The part's time is subtracted, so its upper bound moves the lower bound of the difference.
  const double say = said.layers_ns + said.outside_ns;
  const double middle = (say - part_ns.value) / latency_ns;
  double below = 0, above = 0;
  if (const auto ci = share.interval(kVerdictConfidence); ci && share.value() > 0) {
    below = say * (1 - ci->lo / share.value()) / latency_ns;
    above = say * (ci->hi / share.value() - 1) / latency_ns;
  }
  return {middle, stats::finite_interval(
                      middle - std::hypot(below, (part_ns.high() - part_ns.value) / latency_ns),
                      middle + std::hypot(above, (part_ns.value - part_ns.low()) / latency_ns))};
}

bool misses(const Estimate& d) {
  return stats::finding(d.interval, {-kCutLimit, kCutLimit}) != stats::Finding::kNone;
}

profile::Verdict verdict(const Said& said, const Beside& kernels, const profile::VerifiedCut& cut,
                         double latency_ns) {
  using profile::Verdict;
  if (!kernels.missing.empty()) return Verdict::kIncomparable;
  if (!misses(cut.difference)) return Verdict::kAgrees;
  if (cut.explained_ns && !misses(relative_difference(said, *cut.explained_ns, latency_ns)))
    return Verdict::kExplained;
  return Verdict::kDiffers;
}

}  // namespace

std::vector<std::string> missing_kernels(const Profile& p, const PlannedCut& cut,
                                         const PartTimes& in_turns) {
  return beside(p, cut, in_turns.kernels).missing;
}

std::optional<profile::VerifiedCut> judge(const Profile& p, const PlannedCut& cut,
                                          const PartTimes& in_turns,
                                          const PartTimes* behind_whole) {
  const stats::BlockMedian ratio(log_ratios(in_turns));
  const double latency = p.latency.ns.value;
  if (ratio.size() == 0 || !(latency > 0)) return std::nullopt;
  const Beside kernels = beside(p, cut, in_turns.kernels);
  profile::VerifiedCut out{.node = cut.cut.node, .tensor = {}};
  out.layers = cut.layers + (kernels.boundary_before ? cut.boundary : 0);
  const Said said_of = said(p, out.layers);
  out.layers_ns = said_of.layers_ns;
  out.outside_ns = said_of.outside_ns;
  out.inserted_ns = kernels.inserted_ns;
  out.part_ns = scaled(ratio, latency, kernels.inserted_ns);
  out.difference = relative_difference(said_of, out.part_ns, latency);
  if (behind_whole != nullptr) {
    const stats::BlockMedian cold(log_ratios(*behind_whole));
    if (cold.size() > 0) out.explained_ns = scaled(cold, latency, kernels.inserted_ns);
  }
  out.verdict = verdict(said_of, kernels, out, latency);
  return out;
}

}  // namespace ridge::measure
