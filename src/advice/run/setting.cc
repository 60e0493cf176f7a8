// SPDX-License-Identifier: Apache-2.0
#include "advice/run/setting.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"

namespace ridge::advice {
namespace {

constexpr char kBranches[] = "branches", kThreads[] = "threads", kLevel[] = "optimization_level",
               kSpinning[] = "spinning";

/// `flags`: what the finding adds to a command line.
AdviceSetting setting(const session::MeasureSpec& spec, const std::string& id,
                      const std::string& question, const SettingFacts& facts,
                      const std::string& flags) {
  Finding finding{.id = id,
                  .question = question,
                  .kind = id,
                  .nodes = {},
                  .evidence = {},
                  .gain_ns = {},
                  .no_price = {},
                  .lossless = true,
                  .how = "run it with " + flags,
                  .command = fmt::format("ridge profile {} {}", facts.model, flags),
                  .confidence = {},
                  .check = {}};
  return {std::move(finding), spec};
}

AdviceSetting branches(const session::MeasureSpec& spec, const SettingFacts& facts) {
  const std::uint32_t processors = facts.processors;
  AdviceSetting out = setting(spec, kBranches, "Q2", facts,
                              fmt::format("--no-pin --runtime-option ridge.execution=parallel "
                                          "--runtime-option ridge.inter_op_threads={}",
                                          processors));
  out.spec.pin = false;
  out.spec.runtime_options.emplace_back("ridge.execution", "parallel");
  out.spec.runtime_options.emplace_back("ridge.inter_op_threads", std::to_string(processors));
  out.finding.evidence = fmt::format(
      "independent layers run one after the other; at the same time on {} processors they would "
      "take {} instead of {}, if they did not share bandwidth",
      processors, duration(*facts.scheduled_ns), duration(facts.latency_ns));
  out.finding.gain_ns = stats::Estimate{facts.latency_ns - *facts.scheduled_ns};
  return out;
}

AdviceSetting threads(const session::MeasureSpec& spec, const SettingFacts& facts) {
  AdviceSetting out =
      setting(spec, kThreads, "", facts, fmt::format("--threads {}", facts.processors));
  out.spec.threads = {static_cast<int>(facts.processors)};
  out.finding.evidence =
      fmt::format("{} of {} processors are used", spec.threads.at(0), facts.processors);
  if (facts.on_all_ns) {
    out.finding.evidence +=
        "; the gain is that of layers which keep their shares of the roofs; layers that move data, "
        "steps of recurrences and brief layers stay on one thread";
    out.finding.gain_ns = stats::Estimate{facts.latency_ns - *facts.on_all_ns};
  } else {
    out.finding.no_price = "the roofs of all processors are unknown";
  }
  return out;
}

AdviceSetting spinning(const session::MeasureSpec& spec, const SettingFacts& facts) {
  AdviceSetting out =
      setting(spec, kSpinning, "", facts, "--runtime-option session.intra_op.allow_spinning=0");
  out.spec.runtime_options.emplace_back("session.intra_op.allow_spinning", "0");
  out.finding.evidence = fmt::format(
      "other programs used the processors in {:.0f} % of the runs, while threads that "
      "wait for work spin on them",
      100 * facts.disturbed_share);
  out.finding.no_price = "runs without spinning were not measured";
  return out;
}

AdviceSetting level(const session::MeasureSpec& spec, const SettingFacts& facts) {
  AdviceSetting out = setting(spec, kLevel, "Q3", facts, "--optimization all");
  out.spec.optimization = runtime::Optimization::kAll;
  out.finding.evidence = "the runtime was asked for less than all of its optimizations";
  out.finding.no_price = "layers at that level were not measured";
  return out;
}

}  // namespace

std::vector<std::string> setting_ids() { return {kBranches, kThreads, kLevel, kSpinning}; }

std::vector<AdviceSetting> settings_for(const session::MeasureSpec& spec,
                                        const SettingFacts& facts) {
  std::vector<AdviceSetting> out;
  const auto asked = [&](std::string_view option) {
    return std::ranges::any_of(spec.runtime_options,
                               [&](const auto& given) { return given.first == option; });
  };
  if (spec.optimization != runtime::Optimization::kAll) out.push_back(level(spec, facts));
  const auto used = static_cast<std::uint32_t>(spec.threads.at(0));
  const double measured = facts.latency_ns;
  if (used < facts.processors &&
      (!facts.on_all_ns || *facts.on_all_ns <= (1 - kMinThreads) * measured))
    out.push_back(threads(spec, facts));
  if (spec.runtimes.at(0) != "ort") return out;
  if (facts.processors > 1 && !asked("ridge.execution") && facts.scheduled_ns &&
      *facts.scheduled_ns <= (1 - kMinBranches) * measured)
    out.push_back(branches(spec, facts));
  if (used > 1 && facts.disturbed_share >= kMinDisturbed &&
      !asked("session.intra_op.allow_spinning"))
    out.push_back(spinning(spec, facts));
  return out;
}

}  // namespace ridge::advice
