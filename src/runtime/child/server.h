// SPDX-License-Identifier: Apache-2.0
// Serves the calls of protocol.h in the process of a runtime.
//
//   Server(std::move(channel), std::make_unique<Canceler>()).serve();   // until the channel closes
//
// Ownership: what it opens lives as long as the process. Thread rule: one thread, beside those that
// the calls start.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "ipc/channel.h"
#include "runtime/child/canceler.h"
#include "runtime/child/measuring_loop.h"
#include "runtime/child/opened_runtime.h"
#include "runtime/child/session.h"
#include "runtime/load_meter.h"
#include "runtime/protocol.h"

namespace ridge::runtime {

class Server {
 public:
  /// For a process in which nothing is open yet.
  Server(ipc::Channel channel, std::unique_ptr<Canceler> canceler)
      : channel_(std::move(channel)), canceler_(std::move(canceler)) {}
  /// With a runtime and its session, which has the number 1; `canceler` is the session's.
  Server(ipc::Channel channel, std::unique_ptr<Canceler> canceler, OpenedRuntime opened,
         std::unique_ptr<ChildSession> session);

  /// Returns when the channel is closed.
  void serve();

 private:
  Result<std::string> guarded(ipc::Message& message);
  Result<std::string> answer(ipc::Message& message);
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
  Result<std::string> prepare(ipc::Message& message);
  Result<std::string> unload(SessionId id);
  Result<ChildSession*> find(SessionId id);
  Result<ChildSession*> session_of(std::string_view payload);

  ipc::Channel channel_;
  std::unique_ptr<Canceler> canceler_;
  OpenedRuntime opened_;
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
  ipc::SharedMemory reply_memory_;
  std::vector<int> reply_files_;
};

}  // namespace ridge::runtime
