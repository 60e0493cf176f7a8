// SPDX-License-Identifier: Apache-2.0
#include "runtime/child/child.h"

#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <limits>
#include <map>
#include <memory>
#include <new>
#include <string>
#include <utility>

#include "base/clock.h"
#include "ipc/channel.h"
#include "ipc/process.h"
#include "runtime/child/generation_loop.h"
#include "runtime/child/mixed_load.h"
#include "runtime/child/plugin.h"
#include "runtime/child/session.h"
#include "runtime/child/tensor_rows.h"
#include "runtime/load/generator.h"
#include "runtime/messages.h"

namespace ridge::runtime {
namespace {

/// Interval of reports on a load, which also show that the process is alive.
constexpr Nanos kReportInterval{100'000'000};
constexpr Nanos kForever{std::numeric_limits<std::int64_t>::max()};

/// Serves calls until the channel closes.
class Server {
 public:
  Server() : channel_(ipc::Descriptor(ipc::kChannelDescriptor)) {}

  void serve() {
    for (;;) {
      ipc::Received received = channel_.receive(kForever);
      if (received.outcome != ipc::Received::Outcome::kMessage) return;
      Result<std::string> answer = guarded(received.message);
      if (answer && answer->size() > ipc::Channel::kLimit) {
        answer = environment_error("RIDGE-RT-0036",
                                   "the optimised model is too large to hand over whole");
      }
      const bool sent = answer
                            ? channel_.send(Kind::kReply, *answer, reply_files_).ok()
                            : channel_.send(Kind::kFailure, encode(Failure{answer.error()})).ok();
      reply_files_.clear();
      reply_memory_ = {};
      if (!sent) return;
    }
  }

 private:
  Result<std::string> guarded(ipc::Message& message) {
    try {
      return answer(message);
    } catch (const std::bad_alloc&) {
      return environment_error("RIDGE-RT-0035", "the runtime's process ran out of memory")
          .hint("choose a smaller batch or sequence, or a machine with more memory");
    }
  }

  Result<std::string> answer(ipc::Message& message) {
    switch (message.kind) {
      case Kind::kOpen:
        return open(TRY(decode<OpenCall>(message.payload)));
      case Kind::kLoad:
        return load(message);
      case Kind::kSetInputs:
        return set_inputs(message);
      case Kind::kMeasure:
        return measure(TRY(decode<MeasureCall>(message.payload)));
      case Kind::kWarmUp:
        return warm_up(TRY(decode<MeasureCall>(message.payload)));
      case Kind::kTurns:
        return take_turns(TRY(decode<TurnsCall>(message.payload)).sessions);
      case Kind::kFacts:
        return facts(*TRY(session_of(message.payload)));
      case Kind::kOutputs:
        return outputs(*TRY(session_of(message.payload)));
      case Kind::kSamples:
        return set_samples(message);
      case Kind::kGenerate:
        return generate(message);
      case Kind::kBatches:
        return set_batches(TRY(decode<BatchesCall>(message.payload)));
      case Kind::kOutputsOf:
        return outputs_of(TRY(decode<OutputsOfCall>(message.payload)));
      case Kind::kRequests:
        return serve_requests(message);
      case Kind::kUnload:
        return unload(TRY(decode<SessionCall>(message.payload)).session);
      default:
        return bug("an unknown call", "child");
    }
  }

  Result<std::string> open(const OpenCall& call);
  Result<std::string> load(ipc::Message& message);
  Result<std::string> set_inputs(ipc::Message& message);
  Result<std::string> measure(const MeasureCall& call);
  Result<std::string> warm_up(const MeasureCall& call);
  Result<std::string> take_turns(const std::vector<SessionId>& sessions);
  Result<std::string> facts(ChildSession& session);
  Result<std::string> outputs(ChildSession& session);
  Result<std::string> set_samples(ipc::Message& message);
  Result<std::string> set_batches(BatchesCall call);
  Result<std::string> generate(ipc::Message& message);
  Result<std::string> outputs_of(const OutputsOfCall& call);
  Result<std::string> serve_requests(ipc::Message& message);
  Result<std::string> unload(SessionId id);
  Result<ChildSession*> find(SessionId id);
  Result<ChildSession*> session_of(std::string_view payload) {
    return find(TRY(decode<SessionCall>(payload)).session);
  }

  ipc::Channel channel_;
  const RidgeRuntimeApi* api_ = nullptr;
  RidgeRuntime* runtime_ = nullptr;
  bool has_workers_ = false, hands_over_ = false, shares_buffers_ = false;
  // Folder for weights; empty: the runtime takes no weights from files.
  std::string memory_folder_;
  std::map<SessionId, std::unique_ptr<ChildSession>> sessions_;
  SessionId last_session_ = 0;
  /// State of a session measured in turns with others, of this process or of others. Only the
  /// conductor of the turns can tell their load from foreign load, so this meter measures none.
  struct Turns {
    Turns(ChildSession& of, const MeasureCall& call)
        : meter([] { return std::nullopt; }, steady_clock()),
          loop(of, call.plan, meter, steady_clock()) {}
    LoadMeter meter;
    MeasuringLoop loop;
  };
  std::map<SessionId, std::unique_ptr<Turns>> turns_;
  Canceler canceller_;
  ipc::SharedMemory reply_memory_;
  std::vector<int> reply_files_;
};

Result<std::string> Server::open(const OpenCall& call) {
  if (call.memory_limit > 0) {
    const auto limit = static_cast<rlim_t>(call.memory_limit);
    const rlimit both{limit, limit};
    ::setrlimit(RLIMIT_DATA, &both);
  }
  canceller_.remove_at_end(call.memory_folder);
  api_ = TRY(open_plugin(call.plugin));
  std::vector<const char*> folders;
  for (const std::string& folder : call.folders) folders.push_back(folder.c_str());
  std::vector<RidgeEntry> entries;
  for (const auto& [key, value] : call.entries) entries.push_back({key.c_str(), value.c_str()});

  RidgeOpenOptions options{};
  options.size = sizeof(options);
  options.threads = call.threads;
  options.library = call.library.empty() ? nullptr : call.library.c_str();
  options.folders = folders.data();
  options.folder_count = static_cast<std::uint32_t>(folders.size());
  options.optimization = static_cast<std::uint32_t>(call.optimization);
  options.cpus = call.cpus.data();
  options.cpu_count = static_cast<std::uint32_t>(call.cpus.size());
  options.deterministic = call.deterministic ? 1 : 0;
  options.entries = entries.data();
  options.entry_count = entries.size();
  options.temporary = call.temporary.c_str();
  RidgeError error = no_error();
  TRY(check(api_->open(&options, &runtime_, &error), error));

  RidgeInfo info{};
  info.size = sizeof(info);
  TRY(check(api_->info(runtime_, &info, &error), error));
  info.capabilities &= api_->capabilities | ~std::uint64_t{RIDGE_HAS_WORKERS | RIDGE_HAS_HAND_OVER |
                                                           RIDGE_SHARES_BUFFERS};
  has_workers_ = (info.capabilities & RIDGE_HAS_WORKERS) != 0;
  hands_over_ = (info.capabilities & RIDGE_HAS_HAND_OVER) != 0;
  shares_buffers_ = (info.capabilities & RIDGE_SHARES_BUFFERS) != 0;
  if ((info.capabilities & RIDGE_TAKES_WEIGHTS) != 0) memory_folder_ = call.memory_folder;
  return encode(
      OpenReply{{text_or_empty(info.name), text_or_empty(info.version), text_or_empty(info.library),
                 text_or_empty(info.notes), info.capabilities}});
}

Result<ChildSession*> Server::find(SessionId id) {
  const auto found = sessions_.find(id);
  if (found == sessions_.end()) return bug("no such session", "child");
  return found->second.get();
}

Result<std::string> Server::load(ipc::Message& message) {
  if (runtime_ == nullptr) return bug("load before open", "child");
  LoadCall call = TRY(decode<LoadCall>(message.payload));
  message.payload = {};
  Loaded loaded;
  auto session = TRY(ChildSession::load(*api_, runtime_, std::move(call), message.files,
                                        memory_folder_, canceller_, loaded));
  loaded.session = ++last_session_;
  sessions_[loaded.session] = std::move(session);
  return encode(loaded);
}

Result<std::string> Server::set_inputs(ipc::Message& message) {
  InputsCall call = TRY(decode<InputsCall>(message.payload));
  if (message.files.size() != 1 || call.bytes < 0) return bug("inputs without memory", "child");
  ChildSession* session = TRY(find(call.session));
  ipc::Mapping memory =
      TRY(ipc::Mapping::map(message.files[0].get(), static_cast<std::size_t>(call.bytes),
                            ipc::Mapping::Access::kReadWrite));
  TRY(session->set_inputs(std::move(call.tensors), std::move(memory)));
  return std::string();
}

Result<std::string> Server::measure(const MeasureCall& call) {
  ChildSession* session = TRY(find(call.session));
  session->activate();
  LoadMeter meter(read_cpu_times, steady_clock());
  MeasuringLoop loop(*session, call.plan, meter, steady_clock());
  while (loop.more()) {
    loop.step();
    if (!loop.batch_due() || !loop.more()) continue;
    TRY(channel_.send(Kind::kBatch, encode(BatchReply{loop.take_batch(), loop.rounds_done()})));
  }
  return encode(BatchReply{loop.take_batch(), loop.rounds_done()});
}

Result<std::string> Server::warm_up(const MeasureCall& call) {
  turns_[call.session] = std::make_unique<Turns>(*TRY(find(call.session)), call);
  return take_turns({call.session});  // the first step is the warm-up
}

/// Results are collected after the last turn: a run finds the processor as the run before left it.
Result<std::string> Server::take_turns(const std::vector<SessionId>& sessions) {
  std::vector<MeasuringLoop*> loops;
  for (const SessionId id : sessions) {
    const auto turns = turns_.find(id);
    if (turns == turns_.end()) return bug("a turn before the warm-up", "child");
    TRY(find(id))->activate();
    MeasuringLoop& loop = turns->second->loop;
    if (!loop.stopped()) loop.step();
    loops.push_back(&loop);
  }
  std::vector<BatchReply> replies;
  for (MeasuringLoop* loop : loops) replies.push_back({loop->take_batch(), loop->rounds_done()});
  return encode(replies);
}

Result<std::string> Server::facts(ChildSession& session) { return encode(TRY(session.facts())); }

Result<std::string> Server::outputs(ChildSession& session) {
  OutputsReply reply;
  reply_memory_ = TRY(session.outputs(reply));
  reply_files_ = {reply_memory_.descriptor.get()};
  return encode(reply);
}

Result<std::string> Server::set_samples(ipc::Message& message) {
  SamplesCall call = TRY(decode<SamplesCall>(message.payload));
  message.payload = {};
  if (message.files.size() != 1 || call.bytes < 0) return bug("samples without memory", "child");
  ChildSession* session = TRY(find(call.session));
  ipc::Mapping memory =
      TRY(ipc::Mapping::map(message.files[0].get(), static_cast<std::size_t>(call.bytes),
                            ipc::Mapping::Access::kReadWrite));
  TRY(session->set_inputs(std::move(call.samples), std::move(memory), has_workers_));
  return std::string();
}

Result<std::string> Server::set_batches(BatchesCall call) {
  std::vector<BatchSession> batches;
  for (BatchModel& batch : call.batches) {
    ChildSession* session = TRY(find(batch.session));
    batches.push_back({batch.size, session->session(), std::move(batch.inputs)});
  }
  TRY(TRY(find(call.session))->load_target())->set_batches(std::move(batches));
  return std::string();
}

Result<std::string> Server::generate(ipc::Message& message) {
  const GenerateCall call = TRY(decode<GenerateCall>(message.payload));
  if (message.files.size() != 1 || call.log_bytes < 0) return bug("a load without a log", "child");
  ChildSession* session = TRY(find(call.session));
  std::vector<ChildLoad*> models = {TRY(session->load_target())};
  for (const SessionId other : call.others) models.push_back(TRY(TRY(find(other))->load_target()));
  MixedLoad target(models);
  QueryLog log =
      TRY(QueryLog::map(message.files[0].get(), static_cast<std::size_t>(call.log_bytes)));
  session->activate();
  Generator generator(call.scenario, target, target.samples(), log, steady_clock());
  TRY(generator.start());
  while (!generator.wait_for(kReportInterval))
    TRY(channel_.send(Kind::kBatch, encode(LoadReply{generator.progress(), {}, {}})));
  LoadReply reply{generator.progress(), generator.result(), {}};
  reply_memory_ = TRY(models[0]->recorder().take(reply.kept));
  if (!reply.kept.empty()) reply_files_ = {reply_memory_.descriptor.get()};
  return encode(reply);
}

Result<std::string> Server::outputs_of(const OutputsOfCall& call) {
  ChildSession* session = TRY(find(call.session));
  session->activate();
  std::vector<OutputsReply> replies;
  reply_memory_ = TRY(TRY(session->load_target())->outputs_of(call.first, call.count, replies));
  reply_files_ = {reply_memory_.descriptor.get()};
  return encode(replies);
}

/// The decoders of clients, from the sessions of a plan.
class Decoders final : public GenerationTarget {
 public:
  Decoders(const DecoderSessions& sessions, const GenerationPlan& plan, const Canceler& canceler)
      : sessions_(sessions), plan_(plan), canceler_(canceler) {}
  Result<std::unique_ptr<TokenSource>> open() override {
    return std::unique_ptr<TokenSource>(TRY(ChildDecoder::open(sessions_, plan_)));
  }
  bool canceled() const override { return canceler_.canceled(); }

 private:
  DecoderSessions sessions_;
  const GenerationPlan& plan_;
  const Canceler& canceler_;
};

Result<std::string> Server::serve_requests(ipc::Message& message) {
  const GenerationPlan plan = TRY(decode<RequestsCall>(message.payload)).plan;
  if (message.files.size() != 1) return bug("requests without a log", "child");
  ChildSession* session = TRY(find(plan.decode.session));
  DecoderSessions sessions{api_, session->session(), nullptr, hands_over_, shares_buffers_};
  if (plan.prefill) sessions.prefill = TRY(find(plan.prefill->session))->session();
  GenerationLog log = TRY(GenerationLog::map(plan, message.files[0].get()));
  session->activate();
  Decoders target(sessions, plan, canceller_);
  GenerationLoop loop(plan, target, log, steady_clock());
  TRY(loop.start());
  while (!loop.wait_for(kReportInterval))
    TRY(channel_.send(Kind::kBatch, encode(RequestsReply{loop.progress(), {}})));
  return encode(RequestsReply{loop.progress(), loop.result()});
}

Result<std::string> Server::unload(SessionId id) {
  TRY(find(id));
  turns_.erase(id);
  sessions_.erase(id);
  return std::string();
}

}  // namespace

int child_main() {
  ::prctl(PR_SET_NAME, "ridge-runtime");
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  Server server;
  server.serve();
  // Skips destructors: the runtime's threads and statics need no cleanup.
  ::_exit(0);
}

}  // namespace ridge::runtime
