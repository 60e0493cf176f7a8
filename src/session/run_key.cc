// SPDX-License-Identifier: Apache-2.0
#include "session/run_key.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/number.h"
#include "base/text.h"
#include "base/toml.h"
#include "profile/sweep.h"
#include "record/describe.h"
#include "record/json_read.h"
#include "record/json_write.h"
#include "runtime/paths.h"
#include "runtime/read_options.h"
#include "session/point_choice.h"

namespace ridge {

template <>
struct record::Describe<session::RunKey> {
  using T = session::RunKey;
  static constexpr std::string_view text = "Equal for repetitions of one measurement.";
  static constexpr std::array fields{
      field<&T::graph>("graph", "hash of the model's structure"),
      field<&T::sizes>("sizes", "sizes by name"),
      field<&T::inputs>("inputs", "shape of each input; null: decided by data"),
      field<&T::runtime>("runtime", "its name"),
      field<&T::version>("version", "of the runtime"),
      field<&T::options>("options", "of the runtime and of the measurement"),
      field<&T::weights>("weights", "whether constants are those of the model"),
      field<&T::files>("files", "given inputs"),
      field<&T::host>("host", "identity of the machine"),
      field<&T::ridge>("ridge", "its version")};
};

}  // namespace ridge

namespace ridge::session {
namespace {

Error not_repeatable(const profile::Profile& run, std::string why) {
  return input_error("RIDGE-WB-0392", "this run cannot be measured again")
      .evidence(std::move(why))
      .in_file(run.subject.path);
}

/// Options of a run that are members of a spec, not of the runtime.
constexpr std::array<std::string_view, 3> kOfSpec = {"threads", "optimization", "pinned"};

double seconds_of(const profile::Latency& latency) {
  double longest = 0;
  for (const profile::Process& process : latency.processes) {
    double sum = 0;
    for (const std::int64_t ns : process.samples_ns) sum += static_cast<double>(ns);
    longest = std::max(longest, sum / 1e9);
  }
  return longest;
}

Result<void> take_options(const profile::Profile& run, MeasureSpec& spec) {
  for (const auto& [name, value] : run.subject.options) {
    if (name == "optimization") {
      const auto level = find_word<runtime::Optimization>(value);
      if (!level) return not_repeatable(run, fmt::format("optimization={}", printable(value)));
      spec.optimization = *level;
    }
    if (name == "pinned") spec.pin = value != "no";
    if (std::ranges::find(kOfSpec, name) != kOfSpec.end()) continue;
    TRY(runtime::check_read_option(name));
    spec.runtime_options.emplace_back(name, value);
  }
  return {};
}

}  // namespace

std::string text_of(const RunKey& key) { return record::json_text(record::kType<RunKey>, &key); }

std::string point_key(RunKey key) {
  const auto runtimes = runtime::known_runtimes();
  const auto known = std::ranges::find(runtimes, key.runtime, &runtime::KnownRuntime::title);
  if (known != runtimes.end()) key.runtime = known->name;  // runs have its title
  key.host.clear();
  key.version.clear();
  key.ridge.clear();
  forget_processors(key.options);
  return point_key(text_of(key));
}

Result<RunKey> read_run_key(std::string_view text) {
  return record::read_json<RunKey>(
      text, {.of = record::Reading::Of::kPeople, .limits = {.bytes = kMaxTomlBytes}});
}

Result<MeasureSpec> spec_of_run(const profile::Profile& run, std::string_view point) {
  if (run.subject.kind != "measured")
    return not_repeatable(run, fmt::format("it is {}, not measured", printable(run.subject.kind)));
  const auto runtimes = runtime::known_runtimes();
  const auto known =
      std::ranges::find(runtimes, run.subject.runtime, &runtime::KnownRuntime::title);
  if (known == runtimes.end())
    return not_repeatable(
        run, fmt::format("{} is no runtime that ridge comes with", printable(run.subject.runtime)));
  MeasureSpec spec;
  spec.runtimes = {std::string(known->name)};
  spec.threads = {std::clamp(run.subject.threads.value_or(1), 1, kMaxThreads)};
  for (const auto& [name, binding] : run.subject.bindings)
    if (!binding.assumed) spec.sizes.front().sizes[name].value = binding.value;
  spec.weights = run.subject.weights == "as-is" ? WeightSource::kAsIs : WeightSource::kSeeded;
  spec.processes = static_cast<std::uint32_t>(
      std::clamp<std::size_t>(run.latency.processes.size(), 1, kMaxProcesses));
  spec.budget.seconds = std::max(spec.budget.seconds, seconds_of(run.latency));
  TRY(take_options(run, spec));
  if (!point.empty()) spec.inputs = TRY(read_run_key(point)).files;
  return spec;
}

}  // namespace ridge::session
