// SPDX-License-Identifier: Apache-2.0
#include "runtime/runtime.h"

#include <fcntl.h>

#include <utility>

#include "base/clock.h"
#include "ipc/channel.h"
#include "ipc/process.h"
#include "runtime/connection.h"
#include "runtime/means.h"
#include "runtime/messages.h"
#include "runtime/opening.h"

namespace ridge::runtime {
namespace {

/// The outputs of several runs, in the memory that came with the message.
Result<std::vector<Outputs>> outputs_in(const ipc::Message& answer,
                                        std::vector<OutputsReply> replies) {
  const std::int64_t bytes = replies.empty() ? 0 : replies.back().bytes;
  if (answer.files.size() != 1 || bytes < 0) return bug("outputs without memory", "outputs");
  const auto mapping = std::make_shared<const ipc::Mapping>(TRY(ipc::Mapping::map(
      answer.files[0].get(), static_cast<std::size_t>(bytes), ipc::Mapping::Access::kRead)));
  const auto memory = std::span<const std::byte>(mapping->bytes());
  std::vector<Outputs> out;
  for (OutputsReply& reply : replies) {
    Outputs& outputs = out.emplace_back();
    outputs.memory = mapping;
    for (InputTensor& tensor : reply.tensors) {
      if (tensor.offset < 0 || tensor.bytes < 0 || tensor.bytes > bytes - tensor.offset)
        return bug("an output lies outside its memory", "outputs");
      outputs.tensors.push_back({{std::move(tensor.name), tensor.type, std::move(tensor.dims)},
                                 memory.subspan(static_cast<std::size_t>(tensor.offset),
                                                static_cast<std::size_t>(tensor.bytes))});
    }
  }
  return out;
}

Result<std::vector<KeptOutputs>> kept_in(const ipc::Message& answer, std::vector<KeptReply> kept) {
  std::vector<KeptOutputs> out;
  if (kept.empty()) return out;
  std::vector<OutputsReply> replies;
  for (KeptReply& k : kept) replies.push_back(std::move(k.outputs));
  std::vector<Outputs> outputs = TRY(outputs_in(answer, std::move(replies)));
  for (std::size_t i = 0; i < kept.size(); ++i) out.push_back({kept[i].run, std::move(outputs[i])});
  return out;
}

}  // namespace

struct Runtime::Child {
  Child(const Options& options, ipc::Process process, ipc::Descriptor channel,
        ipc::Descriptor control, std::optional<Opening> folders)
      : opening(std::move(folders)),
        connection(options, std::move(process), std::move(channel), std::move(control)) {}

  /// Sends a call of sessions measured in turns and returns their parts of the measurement.
  Result<std::vector<Measurement>> turns(std::uint32_t kind, const std::string& payload);

  std::optional<Opening> opening;  // its folders outlive the process; none: a template has them
  Connection connection;
  RuntimeInfo info;
};

Runtime::Runtime(std::unique_ptr<Child> child) : child_(std::move(child)) {}
Runtime::Runtime(Runtime&&) noexcept = default;
Runtime& Runtime::operator=(Runtime&&) noexcept = default;
Runtime::~Runtime() = default;

const RuntimeInfo& Runtime::info() const { return child_->info; }
bool Runtime::alive() const { return child_->connection.alive(); }

Result<Runtime> Runtime::spawn(const Options& options) {
  Opening opening = TRY(Opening::of(options));
  const std::string call = encode(opening.call);
  ipc::Process::Started started = TRY(ipc::Process::start(options.program, kChildArgument));
  auto child =
      std::make_unique<Child>(options, std::move(started.process), std::move(started.channel),
                              std::move(started.control), std::move(opening));
  const ipc::Message answer = TRY(child->connection.call(Kind::kOpen, call, "opening it"));
  child->info = TRY(decode<OpenReply>(answer.payload)).info;
  return Runtime(std::move(child));
}

Result<Runtime::Adopted> Runtime::adopt(const Options& options, Forked forked) {
  constexpr std::string_view kDoing = "starting as a copy of its template";
  // The end of the copy is told on its control socket.
  ipc::Descriptor told(::fcntl(forked.control.get(), F_DUPFD_CLOEXEC, 0));
  auto child =
      std::make_unique<Child>(options,
                              ipc::Process::adopt(forked.process, std::move(forked.handle),
                                                  std::move(told), std::move(forked.output)),
                              std::move(forked.channel), std::move(forked.control), std::nullopt);
  const ipc::Message answer = TRY(child->connection.receive(kDoing, false));
  ReadyReply ready = TRY(decode<ReadyReply>(answer.payload));
  child->info = std::move(ready.opened.info);
  return Adopted{Runtime(std::move(child)), std::move(ready.loaded)};
}

Result<Loaded> Runtime::load(const LoadRequest& request) {
  PackedWeights packed = pack(request.weights);
  const LoadCall call{std::string(request.model), std::move(packed.entries), request.dump,
                      request.arena_reach, request.form};
  const ipc::Message answer =
      TRY(child_->connection.call(Kind::kLoad, encode(call), "loading the model", packed.files));
  return decode<Loaded>(answer.payload);
}

Result<Prepared> Runtime::prepare(const LoadRequest& request) {
  PackedWeights packed = pack(request.weights);
  const LoadCall call{std::string(request.model), std::move(packed.entries), Dump::kNothing, 0,
                      request.form};
  ipc::Message answer = TRY(
      child_->connection.call(Kind::kPrepare, encode(call), "preparing the model", packed.files));
  PreparedReply reply = TRY(decode<PreparedReply>(answer.payload));
  if (answer.files.size() > 1 || answer.files.empty() != reply.tensors.empty())
    return bug("a prepared model without its weights", "Runtime");
  Prepared prepared{std::move(reply.model), std::move(reply.tensors), {}};
  if (!answer.files.empty()) prepared.elements = std::move(answer.files[0]);
  TRY(check_prepared(prepared));
  return prepared;
}

Result<void> Runtime::set_inputs(SessionId session, const Inputs& inputs) {
  const InputsCall call{session, inputs.tensors,
                        static_cast<std::int64_t>(inputs.memory.bytes().size())};
  TRY(child_->connection.call(Kind::kSetInputs, encode(call), "taking its inputs",
                              {inputs.memory.descriptor.get()}));
  return {};
}

Result<Measurement> Runtime::measure(SessionId session, const Plan& plan,
                                     const OnProgress& progress) {
  constexpr std::string_view kDoing = "running the model";
  const Nanos start = steady_clock().now();
  TRY(child_->connection.send(Kind::kMeasure, encode(MeasureCall{session, plan}), kDoing));
  Measurement total;
  for (;;) {
    Result<ipc::Message> answer = child_->connection.receive(kDoing, true);
    if (!answer) {
      if (total.samples.empty()) return std::move(answer).error();
      total.failure = std::move(answer).error();
      resolve_means(total);
      return total;
    }
    BatchReply batch = TRY(decode<BatchReply>(answer->payload));
    if (!append(total, std::move(batch.part))) return bug("a batch points nowhere", "measure");
    const Mode mode = total.samples.empty() ? Mode::kFirst : total.samples.back().mode;
    if (progress) {
      progress({mode, batch.rounds_done, plan.min_rounds, steady_clock().now() - start});
    }
    if (answer->kind == Kind::kReply) break;
  }
  if (total.samples.empty() && total.failure) return std::move(*total.failure);
  resolve_means(total);
  return total;
}

Result<std::vector<Measurement>> Runtime::Child::turns(std::uint32_t kind,
                                                       const std::string& payload) {
  constexpr std::string_view kDoing = "running the model";
  TRY(connection.send(kind, payload, kDoing));
  const ipc::Message answer = TRY(connection.receive(kDoing, true));
  std::vector<Measurement> out;
  for (BatchReply& reply : TRY(decode<std::vector<BatchReply>>(answer.payload)))
    out.push_back(std::move(reply.part));
  return out;
}

Result<Measurement> Runtime::warm_up(SessionId session, const Plan& plan) {
  std::vector<Measurement> parts =
      TRY(child_->turns(Kind::kWarmUp, encode(MeasureCall{session, plan})));
  if (parts.size() != 1) return bug("a warm-up without its part", "Runtime");
  return std::move(parts[0]);
}

Result<Measurement> Runtime::take_turn(SessionId session) {
  return std::move(TRY(take_turns({&session, 1}))[0]);
}

Result<std::vector<Measurement>> Runtime::take_turns(std::span<const SessionId> sessions) {
  std::vector<Measurement> parts =
      TRY(child_->turns(Kind::kTurns, encode(TurnsCall{{sessions.begin(), sessions.end()}})));
  if (parts.size() != sessions.size()) return bug("not a part for each turn", "Runtime");
  return parts;
}

std::optional<Nanos> Runtime::cpu_time() const { return child_->connection.cpu_time(); }
std::optional<Bytes> Runtime::resident() const { return child_->connection.resident(); }

Result<std::vector<KernelFacts>> Runtime::kernel_facts(SessionId session) {
  const ipc::Message answer =
      TRY(child_->connection.call(Kind::kFacts, encode(SessionCall{session}), "running the model"));
  return decode<std::vector<KernelFacts>>(answer.payload);
}

Result<Outputs> Runtime::outputs(SessionId session) {
  const ipc::Message answer = TRY(
      child_->connection.call(Kind::kOutputs, encode(SessionCall{session}), "running the model"));
  std::vector<OutputsReply> replies(1);
  replies[0] = TRY(decode<OutputsReply>(answer.payload));
  return std::move(TRY(outputs_in(answer, std::move(replies)))[0]);
}

Result<void> Runtime::set_samples(SessionId session, const Samples& samples) {
  return set_samples(session, samples.sets, samples.memory);
}

Result<void> Runtime::set_samples(SessionId session,
                                  const std::vector<std::vector<InputTensor>>& sets,
                                  const ipc::SharedMemory& memory) {
  const SamplesCall call{session, sets, static_cast<std::int64_t>(memory.bytes().size())};
  TRY(child_->connection.call(Kind::kSamples, encode(call), "taking its samples",
                              {memory.descriptor.get()}));
  return {};
}

Result<void> Runtime::set_batches(SessionId session, std::vector<BatchModel> batches) {
  TRY(child_->connection.call(Kind::kBatches, encode(BatchesCall{session, std::move(batches)}),
                              "taking its batches"));
  return {};
}

Result<LoadResult> Runtime::generate(SessionId session, const scenario::Scenario& scenario,
                                     const QueryLog& log, const OnLoadProgress& progress,
                                     std::span<const SessionId> others) {
  constexpr std::string_view kDoing = "answering queries";
  const GenerateCall call{
      session, {others.begin(), others.end()}, scenario, static_cast<std::int64_t>(log.bytes())};
  TRY(child_->connection.send(Kind::kGenerate, encode(call), kDoing, {log.descriptor().get()}));
  for (;;) {
    Result<ipc::Message> answer = child_->connection.receive(kDoing, true);
    if (!answer && alive()) return std::move(answer).error();  // it did not begin
    if (!answer) return LoadResult{.failure = std::move(answer).error()};
    LoadReply reply = TRY(decode<LoadReply>(answer->payload));
    if (progress && answer->kind != Kind::kReply) progress(reply.done);
    if (answer->kind != Kind::kReply) continue;
    reply.result.kept = TRY(kept_in(*answer, std::move(reply.kept)));
    return std::move(reply.result);
  }
}

Result<std::vector<Outputs>> Runtime::outputs_of(SessionId session, std::uint32_t first,
                                                 std::uint32_t count) {
  const ipc::Message answer = TRY(child_->connection.call(
      Kind::kOutputsOf, encode(OutputsOfCall{session, first, count}), "running the model"));
  auto replies = TRY(decode<std::vector<OutputsReply>>(answer.payload));
  if (replies.size() != count) return bug("not outputs of each sample", "Runtime");
  return outputs_in(answer, std::move(replies));
}

Result<GenerationResult> Runtime::serve(const GenerationPlan& plan, const GenerationLog& log,
                                        const OnLoadProgress& progress) {
  constexpr std::string_view kDoing = "generating tokens";
  TRY(child_->connection.send(Kind::kRequests, encode(RequestsCall{plan}), kDoing,
                              {log.descriptor().get()}));
  for (;;) {
    Result<ipc::Message> answer = child_->connection.receive(kDoing, true);
    if (!answer && alive()) return std::move(answer).error();  // it did not begin
    if (!answer) return GenerationResult{.failure = std::move(answer).error()};
    RequestsReply reply = TRY(decode<RequestsReply>(answer->payload));
    if (answer->kind == Kind::kReply) return std::move(reply.result);
    if (progress) progress(reply.tokens);
  }
}

Result<void> Runtime::unload(SessionId session) {
  TRY(child_->connection.call(Kind::kUnload, encode(SessionCall{session}), "unloading the model"));
  return {};
}

}  // namespace ridge::runtime
