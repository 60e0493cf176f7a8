// SPDX-License-Identifier: Apache-2.0
// A runtime in a child process, from ridge's side.
//
//   runtime::Options options{.threads = 2};
//   Runtime runtime = TRY(Runtime::spawn(options));
//   Loaded model = TRY(runtime.load({.model = bytes, .weights = weights}));
//   TRY(runtime.set_inputs(model.session, inputs));
//   Measurement m = TRY(runtime.measure(model.session, plan));   // m.failure: what ended it early
//
// The measuring loop runs inside the child (posix_spawn of `program`, which must call child_main,
// runtime/child/child.h); only results are transferred. A crash, a hang or memory exhaustion in the
// child becomes an Error here; the Runtime is then dead (`alive()`), and a new one can be spawned.
// Several runtimes may exist side by side; each Runtime has its own child.
//
// Thread rule: one thread. Ctrl-C: when Options::interrupted becomes true, a measurement ends and
// keeps its results; other calls end with an error (RIDGE-RT-0015). Errors of the runtime itself
// keep the class set by the plug-in: a rejected model is an input error (exit 3), a missing library
// an environment error (exit 4).
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/result.h"
#include "base/units.h"
#include "runtime/inputs/inputs.h"
#include "runtime/load.h"
#include "runtime/load/generation_log.h"
#include "runtime/load/query_log.h"
#include "runtime/measurement.h"
#include "runtime/options.h"
#include "runtime/prepared.h"
#include "runtime/types.h"
#include "scenario/scenario.h"

namespace ridge::runtime {

class Runtime {
 public:
  static Result<Runtime> spawn(const Options& options);
  /// Takes over a copy of a template (template.h) and waits until it is ready: its model is loaded.
  /// The copy outlives its template, but kernel_facts needs the template's temporary folder.
  struct Adopted;
  static Result<Adopted> adopt(const Options& options, Forked forked);
  Runtime(Runtime&&) noexcept;
  Runtime& operator=(Runtime&&) noexcept;
  ~Runtime();  ///< ends the child

  const RuntimeInfo& info() const;
  bool alive() const;

  Result<Loaded> load(const LoadRequest& request);
  /// Makes a model ready for loads that come later, in processes of the same runtime, options and
  /// kind of processor (prepared.h). Usage error: the runtime prepares none (RIDGE-RT-0070).
  Result<Prepared> prepare(const LoadRequest& request);
  Result<void> set_inputs(SessionId session, const Inputs& inputs);
  /// Error only if nothing was measured; otherwise Measurement::failure has the reason for an early
  /// end.
  Result<Measurement> measure(SessionId session, const Plan& plan, const OnProgress& progress = {});
  /// Parts of a measurement in turns (runtime/turns.h): the warm-up, then one round per call.
  /// append() of protocol.h joins the parts; after an error there are no further parts.
  Result<Measurement> warm_up(SessionId session, const Plan& plan);
  Result<Measurement> take_turn(SessionId session);
  /// Turns of several sessions, one after the other without a pause; a result for each.
  Result<std::vector<Measurement>> take_turns(std::span<const SessionId> sessions);
  /// CPU time used by its process so far; nullopt after its end.
  std::optional<Nanos> cpu_time() const;
  /// Runs once; returns a row per kernel execution, in order of their ends.
  Result<std::vector<KernelFacts>> kernel_facts(SessionId session);
  /// Runs once and returns the outputs.
  Result<Outputs> outputs(SessionId session);
  /// Sets of inputs for loads; they stay until the session is unloaded or has others.
  Result<void> set_samples(SessionId session, const Samples& samples);
  /// Sets in memory that other sets lie in as well.
  Result<void> set_samples(SessionId session, const std::vector<std::vector<InputTensor>>& sets,
                           const ipc::SharedMemory& memory);
  /// Sessions for batches of a session's samples, which they must outlive.
  Result<void> set_batches(SessionId session, std::vector<BatchModel> batches);
  /// Generates a load on the samples of a session, and of `others` if the scenario has a mix.
  /// LoadResult::failure: what ended it early, the
  /// end of the process included; the queries done by then are in the log.
  Result<LoadResult> generate(SessionId session, const scenario::Scenario& scenario,
                              const QueryLog& log, const OnLoadProgress& progress = {},
                              std::span<const SessionId> others = {});
  /// Memory of its process that is resident now; nullopt after its end.
  std::optional<Bytes> resident() const;
  /// Runs some of the samples once each and returns their outputs, one element for each.
  Result<std::vector<Outputs>> outputs_of(SessionId session, std::uint32_t first,
                                          std::uint32_t count);
  /// Runs requests of a decoder, whose models are sessions of this runtime. `progress`: tokens so
  /// far. GenerationResult::failure: what ended it early, the end of the process included; the
  /// steps done by then are in the log.
  Result<GenerationResult> serve(const GenerationPlan& plan, const GenerationLog& log,
                                 const OnLoadProgress& progress = {});
  Result<void> unload(SessionId session);

 private:
  struct Child;
  explicit Runtime(std::unique_ptr<Child> child);
  std::unique_ptr<Child> child_;
};

struct Runtime::Adopted {
  Runtime runtime;
  Loaded loaded;  ///< the model of the template; times are those of its load there
};

}  // namespace ridge::runtime
