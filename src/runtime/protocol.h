// SPDX-License-Identifier: Apache-2.0
// Calls from ridge to its child and the replies, as plain data in both directions. messages.h
// describes the types; both sides are the same program (record/binary.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/result.h"
#include "record/binary.h"
#include "runtime/generation.h"
#include "runtime/inputs/inputs.h"
#include "runtime/load.h"
#include "runtime/measurement.h"
#include "runtime/options.h"
#include "runtime/prepared.h"
#include "runtime/types.h"
#include "runtime/weights.h"
#include "scenario/scenario.h"

namespace ridge::runtime {

/// First argument of the program where it is a child (child/child.h).
inline constexpr std::string_view kChildArgument = "--runtime-child";
/// First argument of the program where it is a template of children (serve/template.h).
inline constexpr std::string_view kTemplateArgument = "--runtime-template";

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
    kPrepare,        ///< a model for later loads
    kFork,           ///< to a template: a copy of it, with the files that it gets
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
  bool huge_pages = false;  ///< private memory of a template goes into huge pages
};

struct LoadCall {
  std::string model;
  std::vector<WeightEntry> weights;
  Dump dump = Dump::kStructure;
  std::int64_t arena_reach = 0;
  Form form = Form::kOriginal;
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

struct OpenReply {
  RuntimeInfo info;
};

/// A prepared model; the file of the weights' elements is sent along if there are weights.
struct PreparedReply {
  std::string model;
  std::vector<PreparedTensor> tensors;
};

/// A template's copy of itself; its pidfd is sent along where the system has them.
struct ForkReply {
  std::int64_t process = 0;
};

/// First message of such a copy, sent by itself.
struct ReadyReply {
  OpenReply opened;
  Loaded loaded;
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

/// Error for a payload that does not decode: a runtime may have corrupted the sender's memory.
Error unreadable();

/// Encodes a value as a payload, and decodes it; unreadable() if the payload is not a T. Need
/// messages.h.
template <typename T>
std::string encode(const T& value) {
  return record::to_binary(value);
}

template <typename T>
Result<T> decode(std::string_view payload) {
  std::optional<T> value = record::from_binary<T>(payload);
  if (!value) return unreadable();
  return std::move(*value);
}

/// Appends a batch to a measurement. Returns false if indices in it are out of range.
bool append(Measurement& total, Measurement part);

}  // namespace ridge::runtime
