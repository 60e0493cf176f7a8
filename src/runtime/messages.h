// SPDX-License-Identifier: Apache-2.0
// Descriptions of the messages between ridge and its child (record/binary.h): the members that
// cross the pipe, in their order. They have no names, as they are in no document.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "record/describe.h"
#include "runtime/describe.h"
#include "runtime/protocol.h"
#include "scenario/describe.h"

namespace ridge::runtime {

/// Codec of an enumeration that counts from 0 to kLast.
template <auto kLast>
struct UpTo {
  using Enum = decltype(kLast);
  using Number = std::underlying_type_t<Enum>;

  static Number out(const Enum& value) { return static_cast<Number>(value); }
  static Result<Enum> in(Number number) {
    using Count = std::make_unsigned_t<Number>;
    if (static_cast<Count>(number) > static_cast<Count>(kLast)) return unreadable();
    return static_cast<Enum>(number);
  }
};

/// An Error in parts.
struct SentError {
  ErrorClass error_class = ErrorClass::kBug;
  std::string code, message, where, file, evidence, hint;
};

struct ErrorCodec {
  static std::optional<SentError> out(const std::optional<Error>& error);
  static Result<std::optional<Error>> in(std::optional<SentError> sent);
};

/// A tensor of a sequence, which has no members itself.
struct SentMember {
  std::string name;
  onnx::DataType type = onnx::DataType::kFloat;
  std::vector<std::int64_t> dims;
  std::int64_t offset = 0, bytes = 0;
  RidgeValueKind kind = RIDGE_TENSOR;
};

struct MembersCodec {
  static std::vector<SentMember> out(const std::vector<InputTensor>& members);
  static std::vector<InputTensor> in(std::vector<SentMember> sent);
};

}  // namespace ridge::runtime

namespace ridge {

template <>
struct record::Describe<runtime::SentError> {
  using T = runtime::SentError;
  static constexpr std::array fields{member<&T::error_class, runtime::UpTo<ErrorClass::kBug>>(),
                                     member<&T::code>(),
                                     member<&T::message>(),
                                     member<&T::where>(),
                                     member<&T::file>(),
                                     member<&T::evidence>(),
                                     member<&T::hint>()};
};

// Calls and what they hold.

template <>
struct record::Describe<runtime::OpenCall> {
  using T = runtime::OpenCall;
  static constexpr auto fields =
      members<&T::plugin, &T::library, &T::temporary, &T::memory_folder, &T::folders, &T::threads,
              &T::optimization, &T::cpus, &T::deterministic, &T::entries, &T::memory_limit,
              &T::huge_pages>();
};

template <>
struct record::Describe<runtime::WeightEntry> {
  using T = runtime::WeightEntry;
  static constexpr std::array fields{member<&T::name>(),
                                     member<&T::type>(),
                                     member<&T::dims>(),
                                     member<&T::source, runtime::UpTo<T::Source::kInline>>(),
                                     member<&T::file>(),
                                     member<&T::offset>(),
                                     member<&T::length>(),
                                     member<&T::recipe, &SeededTensor::seed>(),
                                     member<&T::recipe, &SeededTensor::mean>(),
                                     member<&T::recipe, &SeededTensor::scale>(),
                                     member<&T::bytes>()};
};

template <>
struct record::Describe<runtime::LoadCall> {
  using T = runtime::LoadCall;
  static constexpr auto fields =
      members<&T::model, &T::weights, &T::dump, &T::arena_reach, &T::form>();
};

template <>
struct record::Describe<runtime::SentMember> {
  using T = runtime::SentMember;
  static constexpr auto fields =
      members<&T::name, &T::type, &T::dims, &T::offset, &T::bytes, &T::kind>();
};

template <>
struct record::Describe<runtime::InputTensor> {
  using T = runtime::InputTensor;
  static constexpr std::array fields{member<&T::name>(),
                                     member<&T::type>(),
                                     member<&T::dims>(),
                                     member<&T::offset>(),
                                     member<&T::bytes>(),
                                     member<&T::kind>(),
                                     member<&T::members, runtime::MembersCodec>()};
};

template <>
struct record::Describe<runtime::InputsCall> {
  using T = runtime::InputsCall;
  static constexpr auto fields = members<&T::session, &T::tensors, &T::bytes>();
};

template <>
struct record::Describe<runtime::Plan> {
  using T = runtime::Plan;
  static constexpr auto fields =
      members<&T::warmup_runs, &T::warmup_time, &T::settle_runs, &T::unprofiled_per_round,
              &T::profiled_per_round, &T::min_rounds, &T::max_rounds, &T::budget, &T::limit,
              &T::max_events, &T::threads, &T::counters, &T::keep_profiling>();
};

template <>
struct record::Describe<runtime::MeasureCall> {
  using T = runtime::MeasureCall;
  static constexpr auto fields = members<&T::session, &T::plan>();
};

template <>
struct record::Describe<runtime::SessionCall> {
  static constexpr auto fields = members<&runtime::SessionCall::session>();
};

template <>
struct record::Describe<runtime::TurnsCall> {
  static constexpr auto fields = members<&runtime::TurnsCall::sessions>();
};

template <>
struct record::Describe<runtime::SamplesCall> {
  using T = runtime::SamplesCall;
  static constexpr auto fields = members<&T::session, &T::samples, &T::bytes>();
};

template <>
struct record::Describe<runtime::BatchModel> {
  using T = runtime::BatchModel;
  static constexpr auto fields = members<&T::size, &T::session, &T::inputs>();
};

template <>
struct record::Describe<runtime::BatchesCall> {
  using T = runtime::BatchesCall;
  static constexpr auto fields = members<&T::session, &T::batches>();
};

template <>
struct record::Describe<runtime::GenerateCall> {
  using T = runtime::GenerateCall;
  static constexpr auto fields = members<&T::session, &T::others, &T::scenario, &T::log_bytes>();
};

template <>
struct record::Describe<runtime::OutputsOfCall> {
  using T = runtime::OutputsOfCall;
  static constexpr auto fields = members<&T::session, &T::first, &T::count>();
};

// Requests of a decoder.

template <>
struct record::Describe<runtime::RunInput> {
  using T = runtime::RunInput;
  static constexpr std::array fields{
      member<&T::name>(),
      member<&T::type>(),
      member<&T::means, runtime::UpTo<runtime::RunMeaning::kTotalLength>>(),
      member<&T::dims>(),
      member<&T::newest_last>(),
      member<&T::elements>()};
};

template <>
struct record::Describe<runtime::StateInput> {
  using T = runtime::StateInput;
  static constexpr auto fields =
      members<&T::name, &T::type, &T::dims, &T::axis, &T::places, &T::kept>();
};

template <>
struct record::Describe<runtime::Decoder> {
  using T = runtime::Decoder;
  static constexpr auto fields =
      members<&T::session, &T::inputs, &T::past, &T::logits, &T::state>();
};

template <>
struct record::Describe<runtime::GenerationPlan> {
  using T = runtime::GenerationPlan;
  static constexpr std::array fields{
      member<&T::decode>(),
      member<&T::prefill>(),
      member<&T::prompt_by, runtime::UpTo<runtime::PromptBy::kGivenCache>>(),
      member<&T::cache_by, runtime::UpTo<runtime::CacheBy::kShared>>(),
      member<&T::capacity>(),
      member<&T::begin, runtime::UpTo<runtime::RequestsBegin::kAtDueTimes>>(),
      member<&T::clients>(),
      member<&T::batch>(),
      member<&T::vocabulary>(),
      member<&T::seed>(),
      member<&T::warmup_steps>(),
      member<&T::computes>(),
      member<&T::max_duration>(),
      member<&T::requests>()};
};

template <>
struct record::Describe<runtime::RequestsCall> {
  static constexpr auto fields = members<&runtime::RequestsCall::plan>();
};

// Replies and what they hold.

template <>
struct record::Describe<runtime::OpenReply> {
  using T = runtime::OpenReply;
  using Info = runtime::RuntimeInfo;
  static constexpr std::array fields{
      member<&T::info, &Info::name>(), member<&T::info, &Info::version>(),
      member<&T::info, &Info::library>(), member<&T::info, &Info::notes>(),
      member<&T::info, &Info::capabilities>()};
};

template <>
struct record::Describe<runtime::TensorType> {
  using T = runtime::TensorType;
  static constexpr auto fields = members<&T::name, &T::type, &T::dims>();
};

template <>
struct record::Describe<runtime::RuntimeLayer> {
  using T = runtime::RuntimeLayer;
  static constexpr auto fields = members<&T::name, &T::type, &T::implementation, &T::precision,
                                         &T::layout, &T::originals, &T::inputs, &T::outputs>();
};

template <>
struct record::Describe<runtime::RuntimeGraph> {
  using T = runtime::RuntimeGraph;
  static constexpr auto fields =
      members<&T::model, &T::tensors, &T::inputs, &T::outputs, &T::layers>();
};

template <>
struct record::Describe<runtime::Loaded> {
  using T = runtime::Loaded;
  static constexpr auto fields =
      members<&T::session, &T::load, &T::prepare, &T::refused_files, &T::graph>();
};

template <>
struct record::Describe<runtime::PreparedTensor> {
  using T = runtime::PreparedTensor;
  static constexpr auto fields = members<&T::name, &T::type, &T::dims, &T::offset, &T::bytes>();
};

template <>
struct record::Describe<runtime::PreparedReply> {
  using T = runtime::PreparedReply;
  static constexpr auto fields = members<&T::model, &T::tensors>();
};

template <>
struct record::Describe<runtime::ForkReply> {
  static constexpr auto fields = members<&runtime::ForkReply::process>();
};

template <>
struct record::Describe<runtime::ReadyReply> {
  using T = runtime::ReadyReply;
  static constexpr auto fields = members<&T::opened, &T::loaded>();
};

template <>
struct record::Describe<runtime::Sample> {
  using T = runtime::Sample;
  static constexpr std::array fields{member<&T::mode, runtime::UpTo<runtime::Mode::kDeepest>>(),
                                     member<&T::round>(),
                                     member<&T::start>(),
                                     member<&T::wall>(),
                                     member<&T::cpu>(),
                                     member<&T::foreign_cpus>(),
                                     member<&T::stolen_cpus>()};
};

template <>
struct record::Describe<runtime::KernelInfo> {
  using T = runtime::KernelInfo;
  static constexpr auto fields =
      members<&T::name, &T::type, &T::implementation, &T::output_shapes>();
};

template <>
struct record::Describe<runtime::KernelEvent> {
  using T = runtime::KernelEvent;
  static constexpr auto fields =
      members<&T::kernel, &T::parent, &T::queue, &T::start_ns, &T::duration_ns, &T::window_ns,
              &T::exclusive_ns, &T::executions, &T::before_ns>();
};

template <>
struct record::Describe<runtime::ProfiledRun> {
  using T = runtime::ProfiledRun;
  static constexpr auto fields = members<&T::sample, &T::model_run_ns, &T::events>();
};

template <>
struct record::Describe<runtime::ThreadInfo> {
  using T = runtime::ThreadInfo;
  static constexpr auto fields = members<&T::id, &T::name>();
};

template <>
struct record::Describe<runtime::ThreadWork> {
  using T = runtime::ThreadWork;
  static constexpr auto fields = members<&T::thread, &T::cpu_ns, &T::wait_ns, &T::switches>();
};

template <>
struct record::Describe<runtime::CounterInfo> {
  using T = runtime::CounterInfo;
  static constexpr auto fields = members<&T::name, &T::unit, &T::origin, &T::absent>();
};

template <>
struct record::Describe<runtime::CounterValue> {
  using T = runtime::CounterValue;
  static constexpr auto fields = members<&T::counter, &T::value, &T::enabled_ns, &T::running_ns>();
};

template <>
struct record::Describe<runtime::DeepRun> {
  using T = runtime::DeepRun;
  static constexpr auto fields =
      members<&T::sample, &T::thread_readings, &T::counter_readings, &T::threads, &T::counters>();
};

template <>
struct record::Describe<runtime::Measurement> {
  using T = runtime::Measurement;
  static constexpr std::array fields{
      member<&T::samples>(),  member<&T::kernels>(),
      member<&T::profiled>(), member<&T::threads>(),
      member<&T::counters>(), member<&T::deep>(),
      member<&T::canceled>(), member<&T::failure, runtime::ErrorCodec>()};
};

template <>
struct record::Describe<runtime::BatchReply> {
  using T = runtime::BatchReply;
  static constexpr auto fields = members<&T::part, &T::rounds_done>();
};

template <>
struct record::Describe<runtime::KernelFacts> {
  using T = runtime::KernelFacts;
  static constexpr auto fields = members<&T::kernel, &T::input_shapes, &T::activation_bytes,
                                         &T::parameter_bytes, &T::output_bytes>();
};

template <>
struct record::Describe<runtime::Failure> {
  static constexpr std::array fields{member<&runtime::Failure::error, runtime::ErrorCodec>()};
};

template <>
struct record::Describe<runtime::OutputsReply> {
  using T = runtime::OutputsReply;
  static constexpr auto fields = members<&T::tensors, &T::bytes>();
};

template <>
struct record::Describe<runtime::KeptReply> {
  using T = runtime::KeptReply;
  static constexpr auto fields = members<&T::run, &T::outputs>();
};

/// Without what was kept, which LoadReply has.
template <>
struct record::Describe<runtime::LoadResult> {
  using T = runtime::LoadResult;
  static constexpr std::array fields{member<&T::begun_ns>(),
                                     member<&T::ended_ns>(),
                                     member<&T::measured_ns>(),
                                     member<&T::abandoned>(),
                                     member<&T::canceled>(),
                                     member<&T::log_full>(),
                                     member<&T::failure, runtime::ErrorCodec>()};
};

template <>
struct record::Describe<runtime::LoadReply> {
  using T = runtime::LoadReply;
  static constexpr auto fields = members<&T::done, &T::result, &T::kept>();
};

template <>
struct record::Describe<runtime::GenerationResult> {
  using T = runtime::GenerationResult;
  static constexpr std::array fields{
      member<&T::begun_ns>(),     member<&T::ended_ns>(),
      member<&T::abandoned>(),    member<&T::canceled>(),
      member<&T::handed_bytes>(), member<&T::copied_bytes>(),
      member<&T::compared>(),     member<&T::buffer_bytes>(),
      member<&T::window>(),       member<&T::failure, runtime::ErrorCodec>()};
};

template <>
struct record::Describe<runtime::RequestsReply> {
  using T = runtime::RequestsReply;
  static constexpr auto fields = members<&T::tokens, &T::result>();
};

}  // namespace ridge
