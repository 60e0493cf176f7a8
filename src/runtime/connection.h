// SPDX-License-Identifier: Apache-2.0
// The process of a runtime, or of a template of one, and the channel to it, from ridge's side:
// calls and their replies, and an Error for a process that crashes, hangs, is stopped or killed.
//
//   Connection connection(options, std::move(started.process), channel, control);
//   ipc::Message answer = TRY(connection.call(Kind::kOpen, encode(call), "opening it"));
//
// Ownership: ends the process when it goes out of scope. Thread rule: one thread. Cost: a look at
// the process every 0.2 s of waiting.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/units.h"
#include "ipc/channel.h"
#include "ipc/process.h"
#include "runtime/options.h"

namespace ridge::runtime {

class Connection {
 public:
  Connection(const Options& options, ipc::Process process, ipc::Descriptor channel,
             ipc::Descriptor control);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection();

  /// As far as calls have shown.
  bool alive() const { return process_.running(); }
  /// True if the process has ended, even if no call has shown it.
  bool has_ended() { return !process_.running() || process_.wait(Nanos{}).has_value(); }
  pid_t process_id() const { return process_.id(); }
  std::optional<Nanos> cpu_time() const { return process_.cpu_time(); }
  std::optional<Bytes> resident() const { return process_.resident(); }

  /// Sends a call and waits for its reply. `doing` completes "the runtime crashed while ...".
  Result<ipc::Message> call(std::uint32_t kind, const std::string& payload, std::string_view doing,
                            const std::vector<int>& files = {});
  Result<void> send(std::uint32_t kind, const std::string& payload, std::string_view doing,
                    const std::vector<int>& files = {});
  /// Returns the next message that is not a failure.
  Result<ipc::Message> receive(std::string_view doing, bool cancellable);

 private:
  Error ended(std::string_view doing);
  /// Ends the process and returns the error.
  Error hangs(std::string_view doing, Nanos silence);
  Error stopped(std::string_view doing);
  void end();
  bool wants_to_stop() const;

  const Options options_;
  ipc::Process process_;
  ipc::Channel channel_;
  ipc::Descriptor control_;
  bool canceled_ = false;
};

}  // namespace ridge::runtime
