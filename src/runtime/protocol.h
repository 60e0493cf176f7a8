// Calls from ridge to its child and the replies, as plain data in both directions (ipc/archive.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ipc/archive.h"
#include "runtime/generation.h"
#include "runtime/inputs/inputs.h"
#include "runtime/load.h"
#include "runtime/measurement.h"
#include "runtime/options.h"
#include "runtime/types.h"
#include "runtime/weights.h"
#include "scenario/describe.h"

namespace ridge::runtime {

/// First argument of the program where it is a child (child/child.h).
inline constexpr std::string_view kChildArgument = "--runtime-child";

/// Kinds of messages. On the channel they are plain numbers.
struct Kind {
  enum Value : std::uint32_t {
    kOpen = 1,
    kLoad,
    kSetInputs,
    kMeasure,
    kFacts,
    kOutputs,
    kUnload,
    kWarmUp,         ///< warm-up of a session measured in turns
    kTurns,          ///< next round of such sessions, one after the other
    kSamples,        ///< sets of inputs for loads
    kGenerate,       ///< a load (generator.h)
    kOutputsOf,      ///< outputs of a range of the samples
    kBatches,        ///< sessions for batches of the samples
    kRequests,       ///< requests of a decoder (generation_loop.h)
    kReply = 100,    ///< result of a call
    kBatch = 101,    ///< part of a measurement; more follows
    kFailure = 102,  ///< an Error
  };
};

struct OpenCall {
  std::string plugin, library, temporary;
  std::string memory_folder;  ///< folder for weights that the runtime maps; empty: it maps none
  std::vector<std::string> folders;
  std::uint32_t threads = 1;
  Optimization optimization = Optimization::kAll;
  std::vector<std::uint32_t> cpus;
  bool deterministic = false;
  std::vector<std::pair<std::string, std::string>> entries;
  std::int64_t memory_limit = 0;
};

struct LoadCall {
  std::string model;
  std::vector<WeightEntry> weights;
  Dump dump = Dump::kStructure;
  std::int64_t arena_reach = 0;
};

struct InputsCall {
  SessionId session = 0;
  std::vector<InputTensor> tensors;
  std::int64_t bytes = 0;  ///< size of the shared memory sent along
};

struct MeasureCall {
  SessionId session = 0;
  Plan plan;
};

struct SessionCall {
  SessionId session = 0;
};

struct TurnsCall {
  std::vector<SessionId> sessions;
};

/// Sets of inputs, in shared memory sent along.
struct SamplesCall {
  SessionId session = 0;
  std::vector<std::vector<InputTensor>> samples;
  std::int64_t bytes = 0;
};

/// Sessions of a session's model for batches of its samples.
struct BatchesCall {
  SessionId session = 0;
  std::vector<BatchModel> batches;
};

/// A load; the memory of its log (query_log.h) is sent along.
struct GenerateCall {
  SessionId session = 0;
  std::vector<SessionId> others;  ///< the other models of a mix
  scenario::Scenario scenario;
  std::int64_t log_bytes = 0;
};

struct OutputsOfCall {
  SessionId session = 0;
  std::uint32_t first = 0, count = 0;
};

/// Requests of a decoder; the memory of their log (generation_log.h) is sent along.
struct RequestsCall {
  GenerationPlan plan;
};

/// Tokens so far (Kind::kBatch), or the end (Kind::kReply).
struct RequestsReply {
  std::uint64_t tokens = 0;
  GenerationResult result;
};

/// Error of a failed call.
struct Failure {
  std::optional<Error> error;
};

struct OutputsReply {
  std::vector<InputTensor> tensors;
  std::int64_t bytes = 0;
};

struct KeptReply {
  std::uint64_t run = 0;
  OutputsReply outputs;
};

/// Queries done so far (Kind::kBatch), or the end (Kind::kReply).
struct LoadReply {
  std::uint64_t done = 0;
  LoadResult result;            ///< without what was kept
  std::vector<KeptReply> kept;  ///< in the memory sent along, if any
};

/// Part of a measurement: the last one (Kind::kReply) or an earlier one (Kind::kBatch). For a
/// session measured in turns, the result of one turn.
struct BatchReply {
  Measurement part;
  std::uint32_t rounds_done = 0;
};

template <typename Archive>
void fields(Archive& archive, OpenCall& c) {
  archive(c.plugin, c.library, c.temporary, c.folders, c.threads, c.optimization, c.cpus);
  archive(c.deterministic, c.entries, c.memory_limit, c.memory_folder);
}

template <typename Archive>
void fields(Archive& archive, RuntimeInfo& i) {
  archive(i.name, i.version, i.library, i.notes, i.capabilities);
}

template <typename Archive>
void fields(Archive& archive, LoadCall& c) {
  archive(c.model, c.weights, c.dump, c.arena_reach);
}

template <typename Archive>
void fields(Archive& archive, TensorType& t) {
  archive(t.name, t.type, t.dims);
}

template <typename Archive>
void fields(Archive& archive, RuntimeLayer& l) {
  archive(l.name, l.type, l.implementation, l.precision, l.layout, l.originals, l.inputs,
          l.outputs);
}

template <typename Archive>
void fields(Archive& archive, RuntimeGraph& g) {
  archive(g.model, g.tensors, g.inputs, g.outputs, g.layers);
}

template <typename Archive>
void fields(Archive& archive, Loaded& l) {
  archive(l.session, l.load, l.prepare, l.refused_files, l.graph);
}

template <typename Archive>
void fields(Archive& archive, InputTensor& t) {
  archive(t.name, t.type, t.dims, t.offset, t.bytes, t.kind, t.members);
}

template <typename Archive>
void fields(Archive& archive, InputsCall& c) {
  archive(c.session, c.tensors, c.bytes);
}

template <typename Archive>
void fields(Archive& archive, Plan& p) {
  archive(p.warmup_runs, p.warmup_time, p.settle_runs, p.unprofiled_per_round);
  archive(p.profiled_per_round, p.min_rounds, p.max_rounds, p.budget, p.limit, p.max_events);
  archive(p.threads, p.counters, p.keep_profiling);
}

template <typename Archive>
void fields(Archive& archive, MeasureCall& c) {
  archive(c.session, c.plan);
}

template <typename Archive>
void fields(Archive& archive, SessionCall& c) {
  archive(c.session);
}

template <typename Archive>
void fields(Archive& archive, TurnsCall& c) {
  archive(c.sessions);
}

template <typename Archive>
void fields(Archive& archive, SamplesCall& c) {
  archive(c.session, c.samples, c.bytes);
}

template <typename Archive>
void fields(Archive& archive, BatchModel& b) {
  archive(b.size, b.session, b.inputs);
}

template <typename Archive>
void fields(Archive& archive, BatchesCall& c) {
  archive(c.session, c.batches);
}

template <typename Archive>
void fields(Archive& archive, GenerateCall& c) {
  archive(c.session, c.others, c.scenario, c.log_bytes);
}

template <typename Archive>
void fields(Archive& archive, LoadResult& r) {
  archive(r.begun_ns, r.ended_ns, r.measured_ns, r.abandoned, r.canceled, r.log_full, r.failure);
}

template <typename Archive>
void fields(Archive& archive, OutputsOfCall& c) {
  archive(c.session, c.first, c.count);
}

template <typename Archive>
void fields(Archive& archive, RequestsCall& c) {
  archive(c.plan);
}

template <typename Archive>
void fields(Archive& archive, RequestsReply& r) {
  archive(r.tokens, r.result);
}

template <typename Archive>
void fields(Archive& archive, Sample& s) {
  archive(s.mode, s.round, s.start, s.wall, s.cpu, s.foreign_cpus, s.stolen_cpus);
  archive.check(s.mode <= Mode::kDeepest);
}

template <typename Archive>
void fields(Archive& archive, KernelInfo& k) {
  archive(k.name, k.type, k.implementation, k.output_shapes);
}

template <typename Archive>
void fields(Archive& archive, KernelEvent& e) {
  archive(e.kernel, e.parent, e.queue, e.start_ns, e.duration_ns, e.window_ns, e.exclusive_ns);
  archive(e.executions, e.before_ns);
}

template <typename Archive>
void fields(Archive& archive, ProfiledRun& r) {
  archive(r.sample, r.model_run_ns, r.events);
}

template <typename Archive>
void fields(Archive& archive, ThreadInfo& t) {
  archive(t.id, t.name);
}

template <typename Archive>
void fields(Archive& archive, ThreadWork& w) {
  archive(w.thread, w.cpu_ns, w.wait_ns, w.switches);
}

template <typename Archive>
void fields(Archive& archive, CounterInfo& c) {
  archive(c.name, c.unit, c.origin, c.absent);
}

template <typename Archive>
void fields(Archive& archive, CounterValue& v) {
  archive(v.counter, v.value, v.enabled_ns, v.running_ns);
}

template <typename Archive>
void fields(Archive& archive, DeepRun& r) {
  archive(r.sample, r.thread_readings, r.counter_readings, r.threads, r.counters);
}

template <typename Archive>
void fields(Archive& archive, Measurement& m) {
  archive(m.samples, m.kernels, m.profiled, m.threads, m.counters, m.deep);
  archive(m.canceled, m.failure);
}

template <typename Archive>
void fields(Archive& archive, BatchReply& b) {
  archive(b.part, b.rounds_done);
}

template <typename Archive>
void fields(Archive& archive, KernelFacts& f) {
  archive(f.kernel, f.input_shapes, f.activation_bytes, f.parameter_bytes, f.output_bytes);
}

template <typename Archive>
void fields(Archive& archive, Failure& f) {
  archive(f.error);
}

template <typename Archive>
void fields(Archive& archive, OutputsReply& r) {
  archive(r.tensors, r.bytes);
}

template <typename Archive>
void fields(Archive& archive, KeptReply& r) {
  archive(r.run, r.outputs);
}

template <typename Archive>
void fields(Archive& archive, LoadReply& r) {
  archive(r.done, r.result, r.kept);
}

/// Error for a payload that does not decode: a runtime may have corrupted the sender's memory.
Error unreadable();

/// Encodes a value as a payload, and decodes it; unreadable() if the payload is not a T.
template <typename T>
std::string encode(const T& value) {
  ipc::Encoder encoder;
  encoder(value);
  return encoder.take();
}

template <typename T>
Result<T> decode(std::string_view payload) {
  T value{};
  ipc::Decoder decoder(payload);
  decoder(value);
  if (decoder.complete()) return value;
  return unreadable();
}

/// Appends a batch to a measurement. Returns false if indices in it are out of range.
bool append(Measurement& total, Measurement part);

}  // namespace ridge::runtime
