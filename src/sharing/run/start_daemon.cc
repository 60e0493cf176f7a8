// SPDX-License-Identifier: Apache-2.0
#include "sharing/run/start_daemon.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <limits>
#include <system_error>
#include <utility>

#include "base/clock.h"
#include "base/list.h"
#include "base/text.h"
#include "base/trim.h"
#include "ipc/process.h"
#include "ipc/spawn_instructions.h"
#include "sharing/run/socket_place.h"

namespace ridge::sharing {
namespace {

constexpr std::size_t kMostWords = 1000;

Error not_started(const StartOptions& options, std::string why) {
  return environment_error("RIDGE-SHARE-0025", "no daemon of ridge share could be started")
      .evidence(std::move(why))
      .in_file(options.folder);
}

/// A message of several lines in one: "error: ...; hint: ...; [RIDGE-SHARE-0002]".
std::string in_one_line(std::string_view words) {
  std::string out;
  for (const std::string_view line : items(words, "\n"))
    out += (out.empty() ? "" : "; ") + printable(trimmed(line));
  return out.empty() ? "it printed nothing" : out;
}

/// A process whose output goes to a file in memory.
struct StartedDaemon {
  pid_t process = 0;
  ipc::Descriptor output;

  /// The end of what it printed.
  std::string words() const {
    std::array<char, kMostWords> text;
    const off_t size = ::lseek(output.get(), 0, SEEK_END);
    const ssize_t got = ::pread(output.get(), text.data(), text.size(),
                                std::max<off_t>(size - std::ssize(text), 0));
    return in_one_line({text.data(), got > 0 ? static_cast<std::size_t>(got) : 0});
  }
};

void close_all_others() {
  constexpr unsigned kFirst = STDERR_FILENO + 1;
  if (::syscall(SYS_close_range, kFirst, std::numeric_limits<unsigned>::max(), 0) == 0) return;
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  for (unsigned fd = kFirst; fd < std::min<rlim_t>(limit.rlim_cur, 65'536); ++fd)
    ::close(static_cast<int>(fd));
}

std::vector<std::string> serve_command(const StartOptions& options) {
  std::vector<std::string> out = {options.program, "share", "serve"};
  out.insert(out.end(), options.arguments.begin(), options.arguments.end());
  return out;
}

Result<StartedDaemon> spawn_daemon(const StartOptions& options) {
  StartedDaemon out;
  out.output = ipc::Descriptor(::memfd_create("ridge-share-output", MFD_CLOEXEC));
  if (!out.output.is_open()) return not_started(options, std::generic_category().message(errno));
  ipc::SpawnInstructions instructions;
  instructions.detach();
  instructions.leave_session();
  instructions.open_null(STDIN_FILENO);
  instructions.connect(out.output.get(), STDOUT_FILENO);
  instructions.connect(out.output.get(), STDERR_FILENO);
  std::vector<std::string> texts = serve_command(options);
  std::vector<char*> arguments;
  for (std::string& text : texts) arguments.push_back(text.data());
  arguments.push_back(nullptr);
  const int failure = instructions.spawn(&out.process, options.program.c_str(), arguments.data());
  if (failure != 0) return not_started(options, std::generic_category().message(failure));
  return out;
}

void wait_a_little() {
  const timespec time{0, 2'000'000};
  ::nanosleep(&time, nullptr);
}

}  // namespace

Result<void> start_detached(const StartOptions& options) {
  close_all_others();
  const Nanos deadline = steady_clock().now() + options.patience;
  const StartedDaemon daemon = TRY(spawn_daemon(options));
  for (bool ended = false;; wait_a_little()) {
    const Result<ipc::Descriptor> socket = connect_to(options.folder);
    if (socket.ok()) return {};
    if (!is_no_daemon(socket.error())) return socket.error();
    // It may have ended because another has the lock, which will listen in a moment.
    ended = ended || ::waitpid(daemon.process, nullptr, WNOHANG) == daemon.process;
    const bool lost = ended && !tells_of_another(daemon.words());
    if (lost || steady_clock().now() >= deadline) return not_started(options, daemon.words());
  }
}

Result<Client> connect_or_start(const StartOptions& options) {
  const Nanos deadline = steady_clock().now() + options.patience;
  Result<Client> there = Client::connect(options.folder, options.patience);
  if (there.ok() || !is_no_daemon(there.error())) return there;
  std::vector<std::string> command = serve_command(options);
  command.emplace_back("--detach");
  ipc::Process starter = TRY(ipc::Process::start_command(command));
  const auto status = starter.wait(deadline);
  if (!status)
    return not_started(options, fmt::format("waited {}", duration(options.patience.count)));
  there = Client::connect(options.folder, options.patience);
  if (there.ok() || !is_no_daemon(there.error())) return there;
  return not_started(options, in_one_line(starter.last_words()));
}

}  // namespace ridge::sharing
