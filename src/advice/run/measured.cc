// SPDX-License-Identifier: Apache-2.0
#include "advice/run/measured.h"

#include "advice/bound.h"
#include "advice/model_bound.h"
#include "profile/summary.h"
#include "session/machine_roofs.h"

namespace ridge::advice {
namespace {

/// The run of the store, or a new one, which is stored. The workbench gets the measuring time of a
/// process.
Result<profile::Profile> read_or_measure(const AdviceSubject& subject, const std::string& key,
                                         session::RoofSource& roofs, session::Workbench& bench,
                                         std::vector<std::string>& notes) {
  if (subject.recorder != nullptr) {
    store::Store& store = subject.recorder->store();
    if (const std::optional<store::RunId> stored = TRY(store.run_of_point(key)))
      return store.read(*stored);
    subject.recorder->assess_host();
  }
  bench.process_s = subject.budget.of_run_s();
  session::Measured measured = TRY(bench.measure(subject.resolved, subject.point, roofs));
  if (measured.roof_error) notes.push_back(measured.roof_error->summary());
  if (subject.recorder != nullptr) TRY(subject.recorder->keep(measured.profile, key));
  return std::move(measured.profile);
}

std::optional<Cover> cover_of(const AdviceSubject& subject, const MeasuredModel& m) {
  if (m.ways.empty()) return std::nullopt;
  std::vector<Way> ways = {{m.run.subject.runtime, &m.run}};
  for (const AdviceWay& way : m.ways) ways.push_back({way.name, &way.run});
  const bool known = !m.roofs.levels.empty() && m.roofs.levels.back().name == "memory";
  return best_cover(subject.resolved, ways, known ? m.roofs.levels.back().bytes_per_s : 0);
}

void take_bounds(const AdviceSubject& subject, const roofline::Roofs& on_all, MeasuredModel& m) {
  const LayerGraph graph(subject.resolved.model(), m.run);
  m.model_bound = bound_of(model_work(subject.resolved), m.roofs, on_all);
  m.kernel_bound = bound_of(graph, m.run, on_all);
  raise(m.kernel_bound, m.model_bound);
}

}  // namespace

Result<MeasuredModel> measure_model(const AdviceSubject& subject) {
  const int own = subject.point.threads;
  const auto all = static_cast<int>(subject.processors());
  std::vector<int> threads = {own};
  if (all != own) threads.push_back(all);
  session::RoofSource source(subject.environment(), threads, false);
  session::Workbench bench = subject.bench;
  MeasuredModel out{.runtime = TRY(subject.loader.info())};
  out.run_key =
      TRY(bench.key(subject.resolved, subject.point, out.runtime.name, out.runtime.version));
  out.run = TRY(read_or_measure(subject, out.run_key, source, bench, out.notes));
  for (std::string& note : profile::input_notes(out.run)) out.notes.push_back(std::move(note));
  out.ways = measure_ways(bench, subject.resolved, subject.request.runtimes, source, out.notes);
  const Result<const session::MachineRoofs*> roofs = source.get();
  if (!roofs.ok()) {
    out.notes.push_back(roofs.error().summary());
    return out;
  }
  const roofline::Roofs on_all = (*roofs)->at(all);
  out.roofs = (*roofs)->at(own);
  take_bounds(subject, on_all, out);
  if (all != own) out.on_all_ns = scaled_to(out.run, on_all);
  out.cover = cover_of(subject, out);
  return out;
}

}  // namespace ridge::advice
