// SPDX-License-Identifier: Apache-2.0
#include "runtime/connection.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <limits>
#include <optional>
#include <utility>

#include "base/clock.h"
#include "base/text.h"
#include "runtime/messages.h"

namespace ridge::runtime {
namespace {

constexpr Nanos kSlice{50'000'000};      // interval of checks for an interruption
constexpr int kSlicesPerLook = 4;        // slices between checks of the process's state
constexpr Nanos kGrace{10'000'000'000};  // time for a run to end after a cancellation
constexpr Nanos kFarewell{500'000'000};  // time for the process to end after its socket is closed

Error interrupted() { return environment_error("RIDGE-RT-0015", "interrupted"); }

/// Classifies a child that sends nothing: it is slow, hangs or was stopped.
class Wait {
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

}  // namespace

Connection::Connection(const Options& options, ipc::Process process, ipc::Descriptor channel,
                       ipc::Descriptor control)
    : options_(options),
      process_(std::move(process)),
      channel_(std::move(channel)),
      control_(std::move(control)) {}

Connection::~Connection() {
  channel_.close();
  // Its end of file ends the process; how that ended is told on the same socket.
  if (control_.is_open()) ::shutdown(control_.get(), SHUT_WR);
  process_.wait(steady_clock().now() + kFarewell);
}

bool Connection::wants_to_stop() const {
  return options_.interrupted != nullptr && options_.interrupted->load(std::memory_order_relaxed);
}

/// Error that describes how the process ended, after its socket closed or broke.
Error Connection::ended(std::string_view doing) {
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
      .hint(
          "try another library with --runtime-library, or --optimization basic; a plug-in of your "
          "own: docs/plug-in.md says how to debug it");
}

void Connection::end() {
  process_.kill();
  process_.wait(steady_clock().now() + kGrace);
}

Error Connection::hangs(std::string_view doing, Nanos silence) {
  end();
  return environment_error("RIDGE-RT-0011",
                           fmt::format("the runtime hangs while {}: it sent no message for {}",
                                       doing, duration(silence.count)))
      .evidence(process_.last_words())
      .hint("its process was killed; try fewer threads, or --optimization basic");
}

Error Connection::stopped(std::string_view doing) {
  end();
  return environment_error(
             "RIDGE-RT-0017",
             fmt::format("the runtime's process was stopped while {}, and did not continue for {}",
                         doing, duration(options_.stopped.count)))
      .evidence(process_.last_words())
      .hint("its process was killed; a process stopped with SIGSTOP must be resumed with SIGCONT");
}

Result<ipc::Message> Connection::receive(std::string_view doing, bool cancellable) {
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

Result<void> Connection::send(std::uint32_t kind, const std::string& payload,
                              std::string_view doing, const std::vector<int>& files) {
  if (!alive()) return environment_error("RIDGE-RT-0012", "the runtime's process has ended");
  if (channel_.send(kind, payload, files).ok()) return {};
  return ended(doing);
}

Result<ipc::Message> Connection::call(std::uint32_t kind, const std::string& payload,
                                      std::string_view doing, const std::vector<int>& files) {
  TRY(send(kind, payload, doing, files));
  return receive(doing, false);
}

}  // namespace ridge::runtime
