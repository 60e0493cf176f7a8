// SPDX-License-Identifier: Apache-2.0
#include "runtime/child/server.h"

#include <limits>
#include <new>

#include "base/clock.h"
#include "runtime/child/generation_loop.h"
#include "runtime/child/mixed_load.h"
#include "runtime/child/preparing.h"
#include "runtime/load/generator.h"
#include "runtime/messages.h"

namespace ridge::runtime {
namespace {

/// Interval of reports on a load, which also show that the process is alive.
constexpr Nanos kReportInterval{100'000'000};
constexpr Nanos kForever{std::numeric_limits<std::int64_t>::max()};

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

}  // namespace

Server::Server(ipc::Channel channel, std::unique_ptr<Canceler> canceler, OpenedRuntime opened,
               std::unique_ptr<ChildSession> session)
    : channel_(std::move(channel)),
      canceler_(std::move(canceler)),
      opened_(std::move(opened)),
      last_session_(1) {
  sessions_[last_session_] = std::move(session);
}

void Server::serve() {
  for (;;) {
    ipc::Received received = channel_.receive(kForever);
    if (received.outcome != ipc::Received::Outcome::kMessage) return;
    Result<std::string> answer = guarded(received.message);
    if (answer && answer->size() > ipc::Channel::kLimit) {
      answer =
          environment_error("RIDGE-RT-0036", "the optimised model is too large to hand over whole");
    }
    const bool sent = answer ? channel_.send(Kind::kReply, *answer, reply_files_).ok()
                             : channel_.send(Kind::kFailure, encode(Failure{answer.error()})).ok();
    reply_files_.clear();
    reply_memory_ = {};
    if (!sent) return;
  }
}

Result<std::string> Server::guarded(ipc::Message& message) {
  try {
    return answer(message);
  } catch (const std::bad_alloc&) {
    return no_memory_left();
  }
}

Result<std::string> Server::answer(ipc::Message& message) {
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
    case Kind::kPrepare:
      return prepare(message);
    case Kind::kUnload:
      return unload(TRY(decode<SessionCall>(message.payload)).session);
    default:
      return bug("an unknown call", "child");
  }
}

Result<std::string> Server::open(const OpenCall& call) {
  canceler_->remove_at_end(call.memory_folder);
  opened_ = TRY(open_runtime(call));
  return encode(OpenReply{opened_.info});
}

Result<ChildSession*> Server::find(SessionId id) {
  const auto found = sessions_.find(id);
  if (found == sessions_.end()) return bug("no such session", "child");
  return found->second.get();
}

Result<ChildSession*> Server::session_of(std::string_view payload) {
  return find(TRY(decode<SessionCall>(payload)).session);
}

Result<std::string> Server::load(ipc::Message& message) {
  if (opened_.api == nullptr) return bug("load before open", "child");
  LoadCall call = TRY(decode<LoadCall>(message.payload));
  message.payload = {};
  TRY(check_form(opened_, call.form));
  Loaded loaded;
  auto session = TRY(ChildSession::load(*opened_.api, opened_.runtime, std::move(call),
                                        message.files, opened_.memory_folder, *canceler_, loaded));
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
  TRY(session->set_inputs(std::move(call.samples), std::move(memory),
                          opened_.can(RIDGE_HAS_WORKERS)));
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

Result<std::string> Server::serve_requests(ipc::Message& message) {
  const GenerationPlan plan = TRY(decode<RequestsCall>(message.payload)).plan;
  if (message.files.size() != 1) return bug("requests without a log", "child");
  ChildSession* session = TRY(find(plan.decode.session));
  DecoderSessions sessions{opened_.api, session->session(), nullptr,
                           opened_.can(RIDGE_HAS_HAND_OVER), opened_.can(RIDGE_SHARES_BUFFERS)};
  if (plan.prefill) sessions.prefill = TRY(find(plan.prefill->session))->session();
  GenerationLog log = TRY(GenerationLog::map(plan, message.files[0].get()));
  session->activate();
  Decoders target(sessions, plan, *canceler_);
  GenerationLoop loop(plan, target, log, steady_clock());
  TRY(loop.start());
  while (!loop.wait_for(kReportInterval))
    TRY(channel_.send(Kind::kBatch, encode(RequestsReply{loop.progress(), {}})));
  return encode(RequestsReply{loop.progress(), loop.result()});
}

Result<std::string> Server::prepare(ipc::Message& message) {
  LoadCall call = TRY(decode<LoadCall>(message.payload));
  message.payload = {};
  PreparedReply reply;
  const int elements = TRY(prepare_model(opened_, std::move(call), message.files, reply));
  if (elements >= 0) reply_files_ = {elements};
  return encode(reply);
}

Result<std::string> Server::unload(SessionId id) {
  TRY(find(id));
  turns_.erase(id);
  sessions_.erase(id);
  return std::string();
}

}  // namespace ridge::runtime
