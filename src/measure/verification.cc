// SPDX-License-Identifier: Apache-2.0
#include "measure/verification.h"

#include <fmt/format.h>

#include "attribution/names.h"
#include "measure/cut_plan.h"
#include "measure/cut_verdict.h"
#include "measure/part_times.h"
#include "profile/verified.h"

namespace ridge::measure {
namespace {

using profile::Profile;
using profile::VerifiedCut;

std::string called(const Profile& p, std::uint32_t node) {
  const profile::Node& n = p.nodes[node];
  return fmt::format("node #{} '{}'", node, n.name.empty() ? n.op_type : n.name);
}

void note_failure(Profile& p, std::uint32_t node, const std::string& why) {
  p.notes.push_back(fmt::format("verification: a process of the part up to {} gave nothing: {}",
                                called(p, node), why));
}

void note_incomparable(Profile& p, std::uint32_t node, const std::vector<std::string>& missing) {
  p.notes.push_back(fmt::format(
      "verification: the part up to {} cannot be compared, because the runtime does not run there "
      "what it runs in the whole model: {}{}",
      called(p, node), missing[0],
      missing.size() > 1 ? fmt::format(" and {} more", missing.size() - 1) : ""));
}

/// Notes which layers differ most from the measured parts: those between the two cuts where the
/// difference grows most.
void note_miss(Profile& p) {
  const std::optional<profile::Segment> worst = profile::worst_segment(p);
  if (!worst) return;
  const profile::Layer* slowest = nullptr;
  for (std::uint32_t l = worst->first; l < worst->last; ++l)
    if (slowest == nullptr || p.layers[l].corrected_ns > slowest->corrected_ns)
      slowest = &p.layers[l];
  p.notes.push_back(fmt::format(
      "verification: layers {} to {} are said to take {:.1f} % of the latency {} than the model's "
      "parts say; the slowest of them is layer {} ({})",
      worst->first, worst->last - 1, 100 * std::abs(worst->difference),
      worst->difference < 0 ? "less" : "more", slowest->index, slowest->type));
}

}  // namespace

Result<void> verify(const analysis::Resolved& resolved, const Request& request, std::size_t count,
                    Profile& p) {
  const CutPlan plan = plan_cuts(resolved, p.layers, count);
  p.verification = {.cuts = {}, .reason = plan.reason};
  if (plan.cuts.empty()) return {};
  PartBench bench(resolved, request);
  const std::vector<PartTimes> times = TRY(bench.in_turns(plan.cuts));
  std::string failure = "interrupted";
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (!times[i].failure.empty()) {
      failure = attribution::with_original_names(times[i].failure, resolved.model());
      note_failure(p, plan.cuts[i].cut.node, failure);
    }
    std::optional<VerifiedCut> cut = judge(p, plan.cuts[i], times[i]);
    if (!cut) continue;
    if (cut->verdict == profile::Verdict::kDiffers) {
      const Result<PartTimes> cold = bench.behind_whole(plan.cuts[i]);
      if (cold.ok())
        cut = judge(p, plan.cuts[i], times[i], &*cold);
      else
        note_failure(p, cut->node, cold.error().summary());
    }
    cut->tensor = resolved.model().value(plan.cuts[i].cut.tensor).name;
    if (cut->verdict == profile::Verdict::kIncomparable)
      note_incomparable(p, cut->node, missing_kernels(p, plan.cuts[i], times[i]));
    p.verification.cuts.push_back(std::move(*cut));
  }
  if (p.verification.cuts.empty()) p.verification.reason = "no part was measured: " + failure;
  if (std::any_of(p.verification.cuts.begin(), p.verification.cuts.end(),
                  [](const VerifiedCut& c) { return c.verdict == profile::Verdict::kDiffers; }))
    note_miss(p);
  profile::mark_verified(p);
  if (request.progress) request.progress->hide();
  return {};
}

}  // namespace ridge::measure
