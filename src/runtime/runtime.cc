// SPDX-License-Identifier: Apache-2.0
#include "runtime/runtime.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <system_error>

#include "base/clock.h"
#include "base/temporary_folder.h"
#include "base/text.h"
#include "ipc/channel.h"
#include "ipc/process.h"
#include "runtime/means.h"
#include "runtime/messages.h"
#include "runtime/paths.h"

namespace ridge::runtime {
namespace {

constexpr Nanos kSlice{50'000'000};      // interval of checks for an interruption
constexpr int kSlicesPerLook = 4;        // slices between checks of the process's state
constexpr Nanos kGrace{10'000'000'000};  // time for a run to end after a cancellation
constexpr Nanos kFarewell{500'000'000};  // time for the process to end after its socket is closed

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

Error interrupted() { return environment_error("RIDGE-RT-0015", "interrupted"); }

}  // namespace

/// The process and its channel.
class Runtime::Child {
 public:
  Child(const Options& options, ipc::Process::Started started, TemporaryFolder folder,
        std::optional<TemporaryFolder> memory_folder)
      : options_(options),
        process_(std::move(started.process)),
        channel_(std::move(started.channel)),
        control_(std::move(started.control)),
        folder_(std::move(folder)),
        memory_folder_(std::move(memory_folder)) {}
  ~Child() {
    channel_.close();
    control_.reset();
    process_.wait(steady_clock().now() + kFarewell);
  }

  bool alive() const { return process_.running(); }
  std::optional<Nanos> cpu_time() const { return process_.cpu_time(); }
  std::optional<Bytes> resident() const { return process_.resident(); }
  /// Sends a call of sessions measured in turns and returns their parts of the measurement.
  Result<std::vector<Measurement>> turns(std::uint32_t kind, const std::string& payload);
  const std::string& folder() const { return folder_.path(); }

  /// Sends a call and waits for its reply. `doing` completes "the runtime crashed while ...".
  Result<ipc::Message> call(std::uint32_t kind, const std::string& payload, std::string_view doing,
                            const std::vector<int>& files = {});
  Result<void> send(std::uint32_t kind, const std::string& payload, std::string_view doing,
                    const std::vector<int>& files = {});
  /// Returns the next message that is not a failure.
  Result<ipc::Message> receive(std::string_view doing, bool cancellable);

  RuntimeInfo info;

 private:
  class Wait;
  Error ended(std::string_view doing);
  /// Ends the process and returns the error.
  Error hangs(std::string_view doing, Nanos silence);
  Error stopped(std::string_view doing);
  void end();
  bool wants_to_stop() const {
    return options_.interrupted != nullptr && options_.interrupted->load(std::memory_order_relaxed);
  }

  const Options options_;
  ipc::Process process_;
  ipc::Channel channel_;
  ipc::Descriptor control_;
  TemporaryFolder folder_;
  std::optional<TemporaryFolder> memory_folder_;  // contains files only while a model is loaded
  bool canceled_ = false;
};

/// Error that describes how the process ended, after its socket closed or broke.
Error Runtime::Child::ended(std::string_view doing) {
  std::optional<int> status = process_.wait(steady_clock().now() + kFarewell);
  if (!status) {
    process_.kill();
    status = process_.wait(steady_clock().now() + kGrace);
  }
  const std::string words = process_.last_words();
  const int signal = status && WIFSIGNALED(*status) ? WTERMSIG(*status) : 0;
  if (signal == SIGKILL) {
    return environment_error("RIDGE-RT-0013",
                             fmt::format("the runtime's process was killed while {}", doing))
        .evidence(words)
        .hint(
            "the system ends processes like this when memory runs out; choose a smaller batch "
            "or sequence");
  }
  if (signal == SIGBUS) {
    return environment_error("RIDGE-RT-0018",
                             fmt::format("the runtime could not read its memory while {}", doing))
        .evidence(words)
        .hint(
            "a file that it has mapped became shorter: leave the model and its data alone until "
            "ridge is done");
  }
  const bool no_memory = words.find("bad_alloc") != std::string::npos;
  if (no_memory) {
    return environment_error("RIDGE-RT-0016",
                             fmt::format("the runtime ran out of memory while {}", doing))
        .evidence(words)
        .hint("choose a smaller batch or sequence, or a machine with more memory");
  }
  return environment_error("RIDGE-RT-0010",
                           fmt::format("the runtime crashed while {}: its process {}", doing,
                                       status ? ipc::describe_end(*status) : "does not end"))
      .evidence(words)
      .hint("try another library with --runtime-library, or --optimization basic");
}

void Runtime::Child::end() {
  process_.kill();
  process_.wait(steady_clock().now() + kGrace);
}

Error Runtime::Child::hangs(std::string_view doing, Nanos silence) {
  end();
  return environment_error("RIDGE-RT-0011",
                           fmt::format("the runtime hangs while {}: it sent no message for {}",
                                       doing, duration(silence.count)))
      .evidence(process_.last_words())
      .hint("its process was killed; try fewer threads, or --optimization basic");
}

Error Runtime::Child::stopped(std::string_view doing) {
  end();
  return environment_error(
             "RIDGE-RT-0017",
             fmt::format("the runtime's process was stopped while {}, and did not continue for {}",
                         doing, duration(options_.stopped.count)))
      .evidence(process_.last_words())
      .hint("its process was killed; a process stopped with SIGSTOP must be resumed with SIGCONT");
}

/// Classifies a child that sends nothing: it is slow, hangs or was stopped.
class Runtime::Child::Wait {
 public:
  Wait(const Options& options, const ipc::Process& process)
      : options_(options), process_(process) {}

  enum class State : std::uint8_t { kFine, kHangs, kStopped };
  /// Called once per slice.
  State look() {
    if (++slices_ % kSlicesPerLook == 0 && is_stopped()) return State::kStopped;
    const Nanos now = steady_clock().now();
    if (now - since_ < options_.silence) return State::kFine;
    // Silent; busy if it used more than 1 % of the time, which is more than a waiting process
    // needs.
    const Nanos cpu = process_.cpu_time().value_or(cpu_);
    const bool busy = (cpu - cpu_).count * 100 > (now - since_).count;
    limit_ = busy ? options_.busy_silence : options_.silence;
    if (now - start_ >= limit_) return State::kHangs;
    since_ = now;
    cpu_ = cpu;
    return State::kFine;
  }
  /// Limit that a hanging child has exceeded.
  Nanos limit() const { return limit_; }

 private:
  /// Counts checks instead of time, so that time in which ridge itself was stopped (Ctrl-Z) does
  /// not count.
  bool is_stopped() {
    if (!process_.stopped()) {
      stopped_for_ = {};
      return false;
    }
    if (stopped_for_.count == 0 && options_.warn)
      options_.warn(
          fmt::format("the runtime's process {} is stopped; unless it continues, it is "
                      "ended in {}",
                      process_.id(), duration(options_.stopped.count)));
    stopped_for_ = stopped_for_ + Nanos{kSlice.count * kSlicesPerLook};
    return stopped_for_ > options_.stopped;
  }

  const Options& options_;
  const ipc::Process& process_;
  const Nanos start_ = steady_clock().now();
  Nanos since_ = start_;
  Nanos cpu_ = process_.cpu_time().value_or(Nanos{});
  int slices_ = 0;
  Nanos stopped_for_, limit_;
};

Result<ipc::Message> Runtime::Child::receive(std::string_view doing, bool cancellable) {
  Wait wait(options_, process_);
  Nanos deadline{std::numeric_limits<std::int64_t>::max()};
  for (;;) {
    if (wants_to_stop() && !cancellable) {
      end();
      return interrupted();
    }
    if (wants_to_stop() && !canceled_) {
      canceled_ = true;
      ::send(control_.get(), "c", 1, MSG_NOSIGNAL);
      deadline = steady_clock().now() + kGrace;
    }
    // A message must not be cut off by the end of a slice: wait for its start, then read all of it.
    if (!channel_.readable(steady_clock().now() + kSlice)) {
      const Wait::State state = wait.look();
      if (state == Wait::State::kStopped) return stopped(doing);
      if (state == Wait::State::kHangs) return hangs(doing, wait.limit());
      if (steady_clock().now() >= deadline) return hangs(doing, kGrace);
      continue;
    }
    ipc::Received received = channel_.receive(steady_clock().now() + options_.silence);
    if (received.outcome == ipc::Received::Outcome::kTimeout) return hangs(doing, options_.silence);
    if (received.outcome == ipc::Received::Outcome::kClosed) return ended(doing);
    if (received.outcome == ipc::Received::Outcome::kGarbage) {
      end();
      return unreadable();
    }
    if (received.message.kind != Kind::kFailure) return std::move(received.message);
    Failure failure = TRY(decode<Failure>(received.message.payload));
    if (failure.error) return std::move(*failure.error);
    return bug("a failure without an error", "Runtime");
  }
}

Result<void> Runtime::Child::send(std::uint32_t kind, const std::string& payload,
                                  std::string_view doing, const std::vector<int>& files) {
  if (!alive()) return environment_error("RIDGE-RT-0012", "the runtime's process has ended");
  if (channel_.send(kind, payload, files).ok()) return {};
  return ended(doing);
}

Result<ipc::Message> Runtime::Child::call(std::uint32_t kind, const std::string& payload,
                                          std::string_view doing, const std::vector<int>& files) {
  TRY(send(kind, payload, doing, files));
  return receive(doing, false);
}

Runtime::Runtime(std::unique_ptr<Child> child) : child_(std::move(child)) {}
Runtime::Runtime(Runtime&&) noexcept = default;
Runtime& Runtime::operator=(Runtime&&) noexcept = default;
Runtime::~Runtime() = default;

const RuntimeInfo& Runtime::info() const { return child_->info; }
bool Runtime::alive() const { return child_->alive(); }

Result<Runtime> Runtime::spawn(const Options& options) {
  OpenCall call;
  call.plugin = options.plugin.empty() ? TRY(find_plugin("ort")) : options.plugin;
  call.library = options.library;
  call.folders = options.folders;
  std::replace(call.folders.begin(), call.folders.end(), std::string(kPluginFolder),
               std::filesystem::path(call.plugin).parent_path().string());
  call.threads = options.threads;
  call.optimization = options.optimization;
  call.cpus = options.cpus;
  call.deterministic = options.deterministic;
  call.entries = options.entries;
  call.memory_limit = options.memory_limit.count;
  TemporaryFolder folder =
      TRY(options.temporary.empty() ? TemporaryFolder::make()
                                    : TemporaryFolder::make(options.temporary));
  call.temporary = folder.path();
  std::optional<TemporaryFolder> memory_folder;
  if (!options.memory_folder.empty()) {
    if (Result<TemporaryFolder> made = TemporaryFolder::make(options.memory_folder))
      memory_folder.emplace(std::move(*made));
    call.memory_folder = memory_folder ? memory_folder->path() : call.temporary;
  }

  ipc::Process::Started started = TRY(ipc::Process::start(options.program, kChildArgument));
  auto child = std::make_unique<Child>(options, std::move(started), std::move(folder),
                                       std::move(memory_folder));
  const ipc::Message answer = TRY(child->call(Kind::kOpen, encode(call), "opening it"));
  child->info = TRY(decode<OpenReply>(answer.payload)).info;
  return Runtime(std::move(child));
}

Result<Loaded> Runtime::load(const LoadRequest& request) {
  PackedWeights packed = pack(request.weights);
  const LoadCall call{std::string(request.model), std::move(packed.entries), request.dump,
                      request.arena_reach};
  const ipc::Message answer =
      TRY(child_->call(Kind::kLoad, encode(call), "loading the model", packed.files));
  return decode<Loaded>(answer.payload);
}

Result<void> Runtime::set_inputs(SessionId session, const Inputs& inputs) {
  const InputsCall call{session, inputs.tensors,
                        static_cast<std::int64_t>(inputs.memory.bytes().size())};
  TRY(child_->call(Kind::kSetInputs, encode(call), "taking its inputs",
                   {inputs.memory.descriptor.get()}));
  return {};
}

Result<Measurement> Runtime::measure(SessionId session, const Plan& plan,
                                     const OnProgress& progress) {
  constexpr std::string_view kDoing = "running the model";
  const Nanos start = steady_clock().now();
  TRY(child_->send(Kind::kMeasure, encode(MeasureCall{session, plan}), kDoing));
  Measurement total;
  for (;;) {
    Result<ipc::Message> answer = child_->receive(kDoing, true);
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
  TRY(send(kind, payload, kDoing));
  const ipc::Message answer = TRY(receive(kDoing, true));
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

std::optional<Nanos> Runtime::cpu_time() const { return child_->cpu_time(); }
std::optional<Bytes> Runtime::resident() const { return child_->resident(); }

Result<std::vector<KernelFacts>> Runtime::kernel_facts(SessionId session) {
  const ipc::Message answer =
      TRY(child_->call(Kind::kFacts, encode(SessionCall{session}), "running the model"));
  return decode<std::vector<KernelFacts>>(answer.payload);
}

Result<Outputs> Runtime::outputs(SessionId session) {
  const ipc::Message answer =
      TRY(child_->call(Kind::kOutputs, encode(SessionCall{session}), "running the model"));
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
  TRY(child_->call(Kind::kSamples, encode(call), "taking its samples", {memory.descriptor.get()}));
  return {};
}

Result<void> Runtime::set_batches(SessionId session, std::vector<BatchModel> batches) {
  TRY(child_->call(Kind::kBatches, encode(BatchesCall{session, std::move(batches)}),
                   "taking its batches"));
  return {};
}

Result<LoadResult> Runtime::generate(SessionId session, const scenario::Scenario& scenario,
                                     const QueryLog& log, const OnLoadProgress& progress,
                                     std::span<const SessionId> others) {
  constexpr std::string_view kDoing = "answering queries";
  const GenerateCall call{
      session, {others.begin(), others.end()}, scenario, static_cast<std::int64_t>(log.bytes())};
  TRY(child_->send(Kind::kGenerate, encode(call), kDoing, {log.descriptor().get()}));
  for (;;) {
    Result<ipc::Message> answer = child_->receive(kDoing, true);
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
  const ipc::Message answer = TRY(child_->call(
      Kind::kOutputsOf, encode(OutputsOfCall{session, first, count}), "running the model"));
  auto replies = TRY(decode<std::vector<OutputsReply>>(answer.payload));
  if (replies.size() != count) return bug("not outputs of each sample", "Runtime");
  return outputs_in(answer, std::move(replies));
}

Result<GenerationResult> Runtime::serve(const GenerationPlan& plan, const GenerationLog& log,
                                        const OnLoadProgress& progress) {
  constexpr std::string_view kDoing = "generating tokens";
  TRY(child_->send(Kind::kRequests, encode(RequestsCall{plan}), kDoing, {log.descriptor().get()}));
  for (;;) {
    Result<ipc::Message> answer = child_->receive(kDoing, true);
    if (!answer && alive()) return std::move(answer).error();  // it did not begin
    if (!answer) return GenerationResult{.failure = std::move(answer).error()};
    RequestsReply reply = TRY(decode<RequestsReply>(answer->payload));
    if (answer->kind == Kind::kReply) return std::move(reply.result);
    if (progress) progress(reply.tokens);
  }
}

Result<void> Runtime::unload(SessionId session) {
  TRY(child_->call(Kind::kUnload, encode(SessionCall{session}), "unloading the model"));
  return {};
}

}  // namespace ridge::runtime
