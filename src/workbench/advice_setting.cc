#include "workbench/advice_setting.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"

namespace ridge::workbench {
namespace {

using advice::Advice;
using advice::Finding;

constexpr char kBranches[] = "branches", kThreads[] = "threads", kLevel[] = "optimization_level";

/// `flags`: what the finding adds to a command line.
AdviceSetting setting(const MeasureSpec& spec, const std::string& id, const std::string& question,
                      const Advice& advice, const std::string& flags) {
  Finding finding{.id = id,
                  .question = question,
                  .kind = id,
                  .nodes = {},
                  .evidence = {},
                  .gain_ns = {},
                  .no_price = {},
                  .lossless = true,
                  .how = "run it with " + flags,
                  .command = fmt::format("ridge profile {} {}", advice.model, flags),
                  .check = {}};
  return {std::move(finding), spec};
}

AdviceSetting branches(const MeasureSpec& spec, std::uint32_t processors, const Advice& advice,
                       double gain_ns) {
  AdviceSetting out = setting(spec, kBranches, "Q2", advice,
                              fmt::format("--no-pin --runtime-option ridge.execution=parallel "
                                          "--runtime-option ridge.inter_op_threads={}",
                                          processors));
  out.spec.pin = false;
  out.spec.runtime_options.emplace_back("ridge.execution", "parallel");
  out.spec.runtime_options.emplace_back("ridge.inter_op_threads", std::to_string(processors));
  out.finding.evidence = fmt::format(
      "independent layers run one after the other; at the same time on {} processors they would "
      "take {} instead of {}, if they did not share bandwidth",
      processors, duration(*advice.achievable.scheduled_ns), duration(advice.measured_ns.median));
  out.finding.gain_ns = profile::Estimate{gain_ns, std::nan(""), std::nan("")};
  return out;
}

AdviceSetting threads(const MeasureSpec& spec, std::uint32_t processors, const Advice& advice) {
  AdviceSetting out = setting(spec, kThreads, "", advice, fmt::format("--threads {}", processors));
  out.spec.threads = {static_cast<int>(processors)};
  out.finding.evidence =
      fmt::format("{} of {} processors are used", spec.threads.at(0), processors);
  out.finding.no_price = "layers with several threads were not measured";
  return out;
}

AdviceSetting level(const MeasureSpec& spec, const Advice& advice) {
  AdviceSetting out = setting(spec, kLevel, "Q3", advice, "--optimization all");
  out.spec.optimization = runtime::Optimization::kAll;
  out.finding.evidence = "the runtime was asked for less than all of its optimizations";
  out.finding.no_price = "layers at that level were not measured";
  return out;
}

}  // namespace

std::vector<std::string> setting_ids() { return {kBranches, kThreads, kLevel}; }

std::vector<AdviceSetting> settings_for(const MeasureSpec& spec, std::uint32_t processors,
                                        const Advice& advice) {
  std::vector<AdviceSetting> out;
  if (spec.optimization != runtime::Optimization::kAll) out.push_back(level(spec, advice));
  const auto used = static_cast<std::uint32_t>(spec.threads.at(0));
  if (used < processors) out.push_back(threads(spec, processors, advice));
  const bool asked = std::ranges::any_of(
      spec.runtime_options, [](const auto& option) { return option.first == "ridge.execution"; });
  if (processors > 1 && spec.runtimes.at(0) == "ort" && advice.achievable.scheduled_ns && !asked)
    if (const double gain = advice.measured_ns.median - *advice.achievable.scheduled_ns;
        gain >= kLeastBranches * advice.measured_ns.median)
      out.push_back(branches(spec, processors, advice, gain));
  return out;
}

}  // namespace ridge::workbench
