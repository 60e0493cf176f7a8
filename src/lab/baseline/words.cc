// SPDX-License-Identifier: Apache-2.0
#include "lab/baseline/words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "base/text.h"

namespace ridge::lab {
namespace {

std::string figure_text(double value, const std::string& unit) {
  return unit == "ns" ? duration(value) : si(value) + unit;
}

}  // namespace

std::string summary_of(const Baseline& baseline) {
  const auto tests = [&](SubjectKind kind) {
    return std::ranges::count(baseline.subjects, kind, &Subject::kind);
  };
  std::int64_t runs = 0;
  for (const BaselineMachine& machine : baseline.machines) runs += machine.runs;
  return fmt::format("{}, {}, {}: {} of roofs, {} of latencies, {} of layer groups",
                     counted(std::ssize(baseline.machines), "machine"), counted(runs, "run"),
                     counted(std::ssize(baseline.subjects), "test"), tests(SubjectKind::kRoofs),
                     tests(SubjectKind::kLatency), tests(SubjectKind::kLayer));
}

std::string slowness_text(double slowness) { return fmt::format("{:.2f} x", slowness); }

std::string evidence_text(const OffFinding& finding) {
  std::string out;
  const bool named = finding.kind == SubjectKind::kRoofs;  // else the subject has the name
  for (const Evidence& e : finding.evidence)
    out += fmt::format("{}{}{}, expected {} to {} ({:.2f} x)", out.empty() ? "" : "; ",
                       named ? e.thing + " " : "", figure_text(e.value, e.unit),
                       figure_text(e.low, e.unit), figure_text(e.high, e.unit), e.ratio);
  return out;
}

std::string left_out_text(const LeftOut& left_out) {
  return fmt::format("{}: {} ({}{})", left_out.why, left_out.count,
                     fmt::join(left_out.examples, "; "),
                     left_out.count > left_out.examples.size() ? "; ..." : "");
}

std::string off_machines(const Baseline& baseline) {
  std::vector<std::string> names;
  for (const OffFinding& f : baseline.findings)
    if (std::ranges::find(names, f.machine) == names.end()) names.push_back(f.machine);
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace ridge::lab
