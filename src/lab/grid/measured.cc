// SPDX-License-Identifier: Apache-2.0
#include "lab/grid/measured.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/list.h"
#include "base/trim.h"

namespace ridge::lab {
namespace {

/// Sizes of a model that has none beside its batch.
constexpr std::string_view kNoSizes = "none";

std::string or_unknown(std::string_view text) {
  return std::string(text.empty() ? kNotKnown : text);
}

/// The name of a machine without processor and number of processors.
std::string host_of(std::string_view machine) {
  return or_unknown(machine.substr(0, machine.find(',')));
}

/// "batch=4, sequence=128" without the size that is the batch; "none" without others.
std::string sizes_without(std::string_view sizes, std::int64_t batch) {
  const std::string value = fmt::format("={}", batch);
  bool found = false;
  std::string out;
  for (const std::string_view part : items(sizes)) {
    const std::string_view size = trimmed(part);
    const bool is_batch = !found && size.ends_with(value);
    found = found || is_batch;
    if (!is_batch) out += fmt::format("{}{}", out.empty() ? "" : ", ", size);
  }
  return out.empty() ? std::string(kNoSizes) : out;
}

/// Parts of a key, each with its length before it, so that no two lists have the same.
void add_part(std::string& key, std::string_view part) {
  key += fmt::format("{}:{};", part.size(), part);
}

std::string setting_key_of(const store::RunRow& row, const MeasuredRun& run,
                           const store::RunTimes& times) {
  std::string out;
  for (const Key key : {Key::kModel, Key::kRuntime, Key::kVersion, Key::kThreads, Key::kSizes})
    add_part(out, fact(run.facts, key));
  add_part(out, row.graph_hash);
  add_part(out, row.machine);
  for (const auto& [name, value] : times.options) {
    add_part(out, name);
    add_part(out, value);
  }
  return out;
}

MeasuredRun run_of(const store::RunRow& row, store::RunTimes times) {
  MeasuredRun out{
      .id = row.id, .recorded_s = row.recorded_s, .batch = std::max<std::int64_t>(row.batch, 1)};
  fact(out.facts, Key::kModel) = or_unknown(row.path);
  fact(out.facts, Key::kHost) = host_of(row.machine);
  fact(out.facts, Key::kRuntime) = or_unknown(row.runtime);
  fact(out.facts, Key::kVersion) = or_unknown(row.runtime_version);
  fact(out.facts, Key::kPrecision) = or_unknown(times.precision);
  fact(out.facts, Key::kBatch) = fmt::format("{}", out.batch);
  fact(out.facts, Key::kThreads) = or_unknown(row.threads);
  fact(out.facts, Key::kSizes) = sizes_without(row.sizes, out.batch);
  fact(out.facts, Key::kScenario) = kProfileScenario;
  out.setting_key = setting_key_of(row, out, times);
  out.params = times.params;
  out.processes_ns = std::move(times.processes_ns);
  return out;
}

MeasuredEvaluation evaluation_of(const store::EvaluationRow& row) {
  MeasuredEvaluation out{.id = row.id, .recorded_s = row.record.recorded_s};
  fact(out.facts, Key::kModel) = or_unknown(row.record.model);
  fact(out.facts, Key::kHost) = host_of(row.record.host);
  fact(out.facts, Key::kRuntime) = or_unknown(row.record.runtime);
  fact(out.facts, Key::kVersion) = or_unknown(row.record.runtime_version);
  fact(out.facts, Key::kPrecision) = kNotKnown;
  fact(out.facts, Key::kBatch) = kNotKnown;
  fact(out.facts, Key::kThreads) = fmt::format("{}", row.record.threads);
  fact(out.facts, Key::kSizes) = kNotKnown;
  fact(out.facts, Key::kScenario) = or_unknown(row.record.scenario);
  return out;
}

}  // namespace

Result<Measured> read_measured(const store::Store& store, const store::RunFilter& only) {
  const store::Transaction seen = TRY(store.snapshot());
  Measured out;
  for (const store::RunRow& row : TRY(store.list())) {
    ++out.stored;
    if (row.kind != "measured" || !takes(only, row)) continue;
    MeasuredRun run = run_of(row, TRY(store.times(row.id)));
    if (!run.processes_ns.empty()) out.runs.push_back(std::move(run));
  }
  for (const store::EvaluationRow& row : TRY(store.evaluations())) {
    ++out.stored;
    if (!row.record.point.empty() && takes(only, row.record))
      out.evaluations.push_back(evaluation_of(row));
  }
  return out;
}

std::string setting_text(const KeyFacts& facts, const std::vector<Key>& keys) {
  constexpr std::string_view kNext = ", ";
  std::string out;
  const auto asked = [&](Key key) { return std::ranges::find(keys, key) != keys.end(); };
  const auto add = [&](Key key, std::string_view before, std::string_view after) {
    const std::string& value = fact(facts, key);
    if (asked(key) || value == kNotKnown) return;
    out += fmt::format("{}{}{}", out.empty() && before == kNext ? "" : before, value, after);
  };
  add(Key::kModel, kNext, "");
  add(Key::kHost, kNext, "");
  add(Key::kRuntime, kNext, "");
  add(Key::kVersion, asked(Key::kRuntime) ? kNext : " ", "");
  add(Key::kThreads, kNext, fact(facts, Key::kThreads) == "1" ? " thread" : " threads");
  add(Key::kPrecision, kNext, "");
  if (fact(facts, Key::kSizes) != kNoSizes) add(Key::kSizes, kNext, "");
  return out;
}

}  // namespace ridge::lab
