// SPDX-License-Identifier: Apache-2.0
#include "runtime/serve/template.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <limits>
#include <memory>
#include <new>
#include <string>
#include <system_error>
#include <utility>

#include "base/clock.h"
#include "base/system_file.h"
#include "ipc/channel.h"
#include "ipc/process.h"
#include "runtime/child/plugin.h"
#include "runtime/child/preparing.h"
#include "runtime/child/server.h"
#include "runtime/messages.h"
#include "runtime/serve/copies.h"
#include "runtime/serve/huge_pages.h"

namespace ridge::runtime {
namespace {

constexpr std::int64_t kStatLimit = 4096;
constexpr Nanos kSettling{1'000'000'000};
constexpr Nanos kNoDeadline{std::numeric_limits<std::int64_t>::max()};

/// Threads of this process, without the calling one, that do not sleep at this moment.
std::size_t busy_threads() {
  std::error_code failed;
  std::size_t busy = 0;
  const std::string own = std::to_string(::getpid());
  for (std::filesystem::directory_iterator at("/proc/self/task", failed), end; !failed && at != end;
       at.increment(failed)) {
    if (at->path().filename() == own) continue;
    const Result<std::string> stat = read_system_file((at->path() / "stat").string(), kStatLimit);
    // "number (name) state ...": the name may contain parentheses and blanks (proc(5)).
    const std::size_t name_end = stat.ok() ? stat->rfind(')') : std::string::npos;
    if (name_end != std::string::npos && stat->compare(name_end, 4, ") S ") != 0) ++busy;
  }
  return busy;
}

/// Waits until all other threads sleep, as those do that wait for work; the number of those that go
/// on for longer than kSettling.
std::size_t threads_that_go_on() {
  const Nanos end = steady_clock().now() + kSettling;
  for (;;) {
    const std::size_t busy = busy_threads();
    if (busy == 0 || steady_clock().now() > end) return busy;
    const timespec pause{0, 5'000'000};
    ::nanosleep(&pause, nullptr);
  }
}

/// Ends this process by SIGIO once the other end of its control socket is closed.
void end_with_ridge() {
  const int control = ipc::kControlDescriptor;
  ::fcntl(control, F_SETOWN, ::getpid());
  ::fcntl(control, F_SETFL, ::fcntl(control, F_GETFL) | O_ASYNC);
  pollfd closed{control, POLLIN, 0};
  if (::poll(&closed, 1, 0) > 0) ::_exit(0);  // it was closed before
}

class TemplateServer {
 public:
  explicit TemplateServer(Copies copies)
      : channel_(ipc::Descriptor(ipc::kChannelDescriptor)), copies_(std::move(copies)) {}

  /// Returns when the channel is closed.
  void serve();

 private:
  Result<std::string> guarded(ipc::Message& message);
  Result<std::string> open(const OpenCall& call);
  Result<std::string> load(ipc::Message& message);
  Result<std::string> fork(ipc::Message& message);
  [[noreturn]] void serve_user(const std::vector<ipc::Descriptor>& files);

  ipc::Channel channel_;
  Copies copies_;
  bool huge_pages_ = false;
  OpenedRuntime opened_;
  std::unique_ptr<Canceler> canceler_ = std::make_unique<Canceler>();
  std::unique_ptr<ChildSession> session_;
  std::string ready_;           // first message of a copy
  ipc::Descriptor reply_file_;  // pidfd of the last copy
};

void TemplateServer::serve() {
  for (;;) {
    pollfd awaited[] = {{channel_.descriptor(), POLLIN, 0}, {copies_.descriptor(), POLLIN, 0}};
    if (::poll(awaited, 2, -1) < 0 && errno != EINTR) return;
    copies_.collect();
    if (awaited[0].revents == 0) continue;
    ipc::Received received = channel_.receive(kNoDeadline);
    if (received.outcome != ipc::Received::Outcome::kMessage) return;
    const Result<std::string> answer = guarded(received.message);
    std::vector<int> files;
    if (reply_file_.is_open()) files.push_back(reply_file_.get());
    const bool sent = answer ? channel_.send(Kind::kReply, *answer, files).ok()
                             : channel_.send(Kind::kFailure, encode(Failure{answer.error()})).ok();
    reply_file_.reset();
    if (!sent) return;
  }
}

Result<std::string> TemplateServer::guarded(ipc::Message& message) {
  try {
    switch (message.kind) {
      case Kind::kOpen:
        return open(TRY(decode<OpenCall>(message.payload)));
      case Kind::kLoad:
        return load(message);
      case Kind::kFork:
        return fork(message);
      default:
        return bug("an unknown call", "template");
    }
  } catch (const std::bad_alloc&) {
    return no_memory_left();
  }
}

Result<std::string> TemplateServer::open(const OpenCall& call) {
  opened_ = TRY(open_runtime(call));
  huge_pages_ = call.huge_pages;
  if (!opened_.can(RIDGE_CAN_FORK))
    return usage_error("RIDGE-RT-0072",
                       fmt::format("a process of {} cannot be copied", opened_.info.name))
        .hint("its plug-in has no quiesce (runtime/abi.h); load the model in each process");
  RidgeError error = no_error();
  TRY(check(opened_.api->quiesce(opened_.runtime, &error), error));
  return encode(OpenReply{opened_.info});
}

Result<std::string> TemplateServer::load(ipc::Message& message) {
  if (opened_.api == nullptr || session_ != nullptr) return bug("not the one load", "template");
  LoadCall call = TRY(decode<LoadCall>(message.payload));
  message.payload = {};
  TRY(check_form(opened_, call.form));
  Loaded loaded;
  loaded.session = 1;
  session_ = TRY(ChildSession::load(*opened_.api, opened_.runtime, std::move(call), message.files,
                                    opened_.memory_folder, *canceler_, loaded));
  if (const std::size_t count = threads_that_go_on(); count > 0)
    return environment_error(
               "RIDGE-RT-0073",
               fmt::format("threads of {} are at work with the model loaded, so its process cannot "
                           "be copied",
                           opened_.info.name))
        .evidence(fmt::format("there are {} beside the one that loads", count))
        .hint("load the model in each process, or try --threads 1");
  session_->let_go_of_weights();
  if (huge_pages_) use_huge_pages();
  std::string answer = encode(loaded);
  ready_ = encode(ReadyReply{{opened_.info}, std::move(loaded)});
  return answer;
}

Result<std::string> TemplateServer::fork(ipc::Message& message) {
  if (ready_.empty()) return bug("a copy before the load", "template");
  if (message.files.size() != 3) return bug("a copy without its sockets", "template");
  const pid_t copy = ::fork();
  if (copy == 0) serve_user(message.files);
  if (copy < 0)
    return environment_error("RIDGE-RT-0074", "the system does not copy the template's process: " +
                                                  std::generic_category().message(errno))
        .hint(
            "check the limits on processes and memory (ulimit -u, cgroups); or load the model in "
            "this process");
  ::setpgid(copy, copy);  // as the copy does, whichever is first
  copies_.add(copy, std::move(message.files[1]));
  reply_file_ = ipc::Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, copy, 0)));
  return encode(ForkReply{copy});
}

/// In the copy: leaves everything of the template, and serves its user.
void TemplateServer::serve_user(const std::vector<ipc::Descriptor>& files) {
  ::setpgid(0, 0);  // what ends the template's group spares it
  ::prctl(PR_SET_NAME, "ridge-runtime");
  ::dup2(files[0].get(), ipc::kChannelDescriptor);
  ::dup2(files[1].get(), ipc::kControlDescriptor);
  ::dup2(files[2].get(), STDOUT_FILENO);
  ::dup2(files[2].get(), STDERR_FILENO);
  for (const ipc::Descriptor& file : files) ::close(file.get());  // _exit skips their destructors
  copies_.forget();
  canceler_->start();
  RidgeError error = no_error();
  const Result<void> resumed = check(opened_.api->resume(opened_.runtime, &error), error);
  ipc::Channel channel(std::exchange(channel_, {}));
  const bool told = resumed ? channel.send(Kind::kReply, ready_).ok()
                            : channel.send(Kind::kFailure, encode(Failure{resumed.error()})).ok();
  if (!told || !resumed) ::_exit(0);
  Server(std::move(channel), std::move(canceler_), std::move(opened_), std::move(session_)).serve();
  ::_exit(0);
}

}  // namespace

int template_main() {
  ::prctl(PR_SET_NAME, "ridge-template");
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  end_with_ridge();
  Result<Copies> copies = Copies::watch();
  if (!copies.ok()) {
    ipc::Channel channel{ipc::Descriptor(ipc::kChannelDescriptor)};
    (void)channel.send(Kind::kFailure, encode(Failure{copies.error()}));
    return 0;
  }
  TemplateServer(std::move(*copies)).serve();
  // Skips destructors: the runtime's threads and statics need no cleanup.
  ::_exit(0);
}

}  // namespace ridge::runtime
