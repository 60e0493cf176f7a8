// SPDX-License-Identifier: Apache-2.0
#include "sharing/run/start_daemon.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <system_error>
#include <utility>

#include "base/clock.h"
#include "base/file.h"
#include "base/text.h"
#include "ipc/process.h"
#include "ipc/spawn_instructions.h"
#include "sharing/run/socket_place.h"

namespace ridge::sharing {
namespace {

constexpr std::int64_t kMostLog = std::int64_t{64} << 10;
constexpr std::size_t kShownLog = 1000;

Error not_started(const StartOptions& options, std::string why) {
  return environment_error("RIDGE-SHARE-0025", "no daemon of ridge share could be started")
      .evidence(std::move(why))
      .in_file(options.folder);
}

/// The end of what the daemon printed.
std::string log_of(const std::string& folder) {
  const Result<std::string> text = read_file(log_path(folder), kMostLog);
  if (!text.ok()) return "it printed nothing";
  return printable(text->substr(text->size() - std::min(text->size(), kShownLog)));
}

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

/// Its process, whose output goes to the log.
Result<pid_t> spawn_daemon(const StartOptions& options) {
  TRY(check_private_folder(options.folder));
  const ipc::Descriptor log(::open(log_path(options.folder).c_str(),
                                   O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!log.is_open()) return not_started(options, std::generic_category().message(errno));
  ipc::SpawnInstructions instructions;
  instructions.detach();
  instructions.leave_session();
  instructions.open_null(STDIN_FILENO);
  instructions.connect(log.get(), STDOUT_FILENO);
  instructions.connect(log.get(), STDERR_FILENO);
  std::vector<std::string> texts = serve_command(options);
  std::vector<char*> arguments;
  for (std::string& text : texts) arguments.push_back(text.data());
  arguments.push_back(nullptr);
  pid_t out = 0;
  const int failure = instructions.spawn(&out, options.program.c_str(), arguments.data());
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
  const pid_t daemon = TRY(spawn_daemon(options));
  for (bool ended = false;; wait_a_little()) {
    const Result<ipc::Descriptor> socket = connect_to(options.folder);
    if (socket.ok()) return {};
    if (!is_no_daemon(socket.error())) return socket.error();
    // It may have ended because another has the lock, which will listen in a moment.
    ended = ended || ::waitpid(daemon, nullptr, WNOHANG) == daemon;
    if (ended && !tells_of_another(log_of(options.folder)))
      return not_started(options, log_of(options.folder));
    if (steady_clock().now() >= deadline) return not_started(options, log_of(options.folder));
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
  return not_started(options, printable(starter.last_words()));
}

}  // namespace ridge::sharing
