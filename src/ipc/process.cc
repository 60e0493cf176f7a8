// SPDX-License-Identifier: Apache-2.0
#include "ipc/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <limits>
#include <system_error>
#include <utility>

#include "base/clock.h"
#include "base/number.h"
#include "base/system_file.h"
#include "ipc/spawn_instructions.h"

namespace ridge::ipc {
namespace {

constexpr std::int64_t kLastWords = 1000;
/// Time for the parent of a process to tell how that ended.
constexpr Nanos kTelling{500'000'000};

Error cannot_start(const std::string& what, int error_number) {
  return environment_error("RIDGE-RT-0001",
                           fmt::format("cannot start the runtime's process: {}: {}", what,
                                       std::generic_category().message(error_number)));
}

/// Both ends of a socket; `theirs` is above the descriptor numbers that the child uses.
struct Sockets {
  Descriptor ours, theirs;
};

Result<Sockets> socket_pair() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    return cannot_start("socket", errno);
  }
  Sockets pair{Descriptor(ends[0]), Descriptor(ends[1])};
  constexpr int kAboveOurs = 10;
  const int moved = ::fcntl(pair.theirs.get(), F_DUPFD_CLOEXEC, kAboveOurs);
  if (moved < 0) return cannot_start("socket", errno);
  pair.theirs = Descriptor(moved);
  return pair;
}

/// True if this process was itself started with `argument`. It then must not start another: the
/// program's main ignores the argument, and would start itself recursively.
bool is_started_with(std::string_view argument) {
  const Descriptor file(::open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC));
  std::array<char, 256> text{};
  const ssize_t size = file.is_open() ? ::read(file.get(), text.data(), text.size()) : 0;
  const std::string_view line(text.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
  const std::size_t first = line.find('\0');
  if (first == std::string_view::npos) return false;
  const std::string_view rest = line.substr(first + 1);
  return rest.substr(0, rest.find('\0')) == argument;
}

}  // namespace

Result<ChildSockets> ChildSockets::make() {
  Sockets channel = TRY(socket_pair());
  Sockets control = TRY(socket_pair());
  Descriptor output(::memfd_create("ridge-output", MFD_CLOEXEC));
  if (!output.is_open()) return cannot_start("memory for its output", errno);
  return ChildSockets{std::move(channel.ours), std::move(control.ours), std::move(channel.theirs),
                      std::move(control.theirs), std::move(output)};
}

Result<Process::Started> Process::start(const std::string& program, std::string_view argument) {
  if (is_started_with(argument))
    return environment_error("RIDGE-RT-0007", fmt::format("{} does not know {}", program, argument))
        .hint(
            "its main must hand over to runtime::child_main first (runtime/child/child.h), or to "
            "template_main (runtime/serve/template.h)");
  ChildSockets sockets = TRY(ChildSockets::make());
  Started started;
  started.process.output_ = std::move(sockets.output);

  SpawnInstructions instructions;
  instructions.open_null(STDIN_FILENO);
  instructions.connect(started.process.output_.get(), STDOUT_FILENO);
  instructions.connect(started.process.output_.get(), STDERR_FILENO);
  instructions.connect(sockets.their_channel.get(), kChannelDescriptor);
  instructions.connect(sockets.their_control.get(), kControlDescriptor);
  instructions.detach();
  std::string name = "ridge", text(argument);
  std::array<char*, 3> arguments = {name.data(), text.data(), nullptr};
  const int failure = instructions.spawn(&started.process.pid_, program.c_str(), arguments.data());
  if (failure != 0) {
    started.process.pid_ = 0;
    return cannot_start(program, failure);
  }
  started.process.leads_group_ = true;
  started.channel = std::move(sockets.channel);
  started.control = std::move(sockets.control);
  return started;
}

Process Process::adopt(pid_t id, Descriptor handle, Descriptor told, Descriptor output) {
  Process process;
  process.pid_ = id;
  process.foreign_ = true;
  process.handle_ = std::move(handle);
  process.told_ = std::move(told);
  process.output_ = std::move(output);
  return process;
}

Result<Process> Process::start_command(const std::vector<std::string>& command) {
  Process process;
  process.output_ = Descriptor(::memfd_create("ridge-output", MFD_CLOEXEC));
  if (!process.output_.is_open()) return cannot_start("memory for its output", errno);
  SpawnInstructions instructions;
  instructions.open_null(STDIN_FILENO);
  instructions.connect(process.output_.get(), STDOUT_FILENO);
  instructions.connect(process.output_.get(), STDERR_FILENO);
  std::vector<std::string> texts = command;
  std::vector<char*> arguments;
  for (std::string& text : texts) arguments.push_back(text.data());
  arguments.push_back(nullptr);
  const int failure = instructions.spawn(&process.pid_, command[0].c_str(), arguments.data());
  if (failure != 0) {
    process.pid_ = 0;
    return cannot_start(command[0], failure);
  }
  return process;
}

Process::Process(Process&& other) noexcept
    : pid_(std::exchange(other.pid_, 0)),
      leads_group_(other.leads_group_),
      foreign_(other.foreign_),
      handle_(std::move(other.handle_)),
      told_(std::move(other.told_)),
      gone_(other.gone_),
      status_(std::exchange(other.status_, std::nullopt)),
      output_(std::move(other.output_)) {}

Process& Process::operator=(Process&& other) noexcept {
  std::swap(pid_, other.pid_);
  std::swap(leads_group_, other.leads_group_);
  std::swap(foreign_, other.foreign_);
  std::swap(handle_, other.handle_);
  std::swap(told_, other.told_);
  std::swap(gone_, other.gone_);
  std::swap(status_, other.status_);
  std::swap(output_, other.output_);
  return *this;
}

Process::~Process() {
  if (pid_ <= 0) return;
  kill();
  // That a foreign one has ended may remain unknown where there is no pidfd.
  const Nanos deadline = steady_clock().now() + kTelling + kTelling;
  wait(foreign_ ? deadline : Nanos{std::numeric_limits<std::int64_t>::max()});
}

/// The status of a child that has ended; nullopt if it runs.
std::optional<int> Process::ending() const {
  int status = 0;
  const pid_t ended = ::waitpid(pid_, &status, WNOHANG);
  if (ended == pid_ || (ended < 0 && errno == ECHILD)) return status;
  return std::nullopt;
}

/// Status of a process that another one started; nullopt if it runs.
std::optional<int> Process::told_ending() {
  int status = 0;
  const ssize_t got = ::recv(told_.get(), &status, sizeof(status), MSG_DONTWAIT);
  if (got == static_cast<ssize_t>(sizeof(status))) return status;
  if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) return kUnknownEnd;
  pollfd ended{handle_.get(), POLLIN, 0};
  if (!handle_.is_open() || ::poll(&ended, 1, 0) != 1) return std::nullopt;
  const Nanos now = steady_clock().now();
  if (!gone_) gone_ = now;
  if (now - *gone_ < kTelling) return std::nullopt;
  return kUnknownEnd;
}

std::optional<int> Process::wait(Nanos deadline) {
  while (pid_ > 0) {
    if (const std::optional<int> status = foreign_ ? told_ending() : ending()) {
      status_ = status;
      pid_ = 0;
      break;
    }
    if (steady_clock().now() >= deadline) return std::nullopt;
    const timespec pause{0, 1'000'000};
    ::nanosleep(&pause, nullptr);
  }
  return status_;
}

void Process::kill() const {
  if (pid_ <= 0) return;
  if (handle_.is_open()) {  // unlike its number, it never means another process
    ::syscall(SYS_pidfd_send_signal, handle_.get(), SIGKILL, nullptr, 0);
    return;
  }
  // Kills the whole group: the runtime may have started further processes.
  ::kill(leads_group_ ? -pid_ : pid_, SIGKILL);
}

bool Process::stopped() const {
  const std::string path = fmt::format("/proc/{}/stat", pid_);
  const Descriptor file(pid_ > 0 ? ::open(path.c_str(), O_RDONLY | O_CLOEXEC) : -1);
  std::array<char, 256> text{};
  const ssize_t size = file.is_open() ? ::read(file.get(), text.data(), text.size()) : 0;
  const std::string_view line(text.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
  // "pid (name) state ...": the name may contain parentheses and blanks (proc(5)).
  const std::size_t name_end = line.rfind(')');
  return name_end != std::string_view::npos && line.substr(name_end + 1).starts_with(" T");
}

std::optional<Nanos> Process::cpu_time() const {
  clockid_t clock{};
  timespec time{};
  if (pid_ <= 0 || ::clock_getcpuclockid(pid_, &clock) != 0 || ::clock_gettime(clock, &time) != 0)
    return std::nullopt;
  return Nanos{time.tv_sec * 1'000'000'000 + time.tv_nsec};
}

/// The second number of /proc/PID/statm, in pages (proc(5)).
std::optional<Bytes> Process::resident() const {
  if (pid_ <= 0) return std::nullopt;
  const Result<std::string> text = read_system_file(fmt::format("/proc/{}/statm", pid_), 4096);
  if (!text.ok()) return std::nullopt;
  const std::string_view rest = std::string_view(*text).substr(text->find(' ') + 1);
  const auto pages = whole_number<std::int64_t>(rest.substr(0, rest.find(' ')));
  if (!pages) return std::nullopt;
  return Bytes{*pages * ::sysconf(_SC_PAGESIZE)};
}

std::string Process::last_words() const {
  const off_t size = ::lseek(output_.get(), 0, SEEK_END);
  if (size <= 0) return {};
  std::array<char, kLastWords> text;
  const off_t from = std::max<off_t>(0, size - kLastWords);
  const ssize_t got = ::pread(output_.get(), text.data(), text.size(), from);
  std::string words(text.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  if (from > 0) words.erase(0, words.find('\n') + 1);  // drops a line that is cut at its start
  while (!words.empty() && words.back() == '\n') words.pop_back();
  return words;
}

std::string describe_end(int wait_status) {
  if (WIFSIGNALED(wait_status)) {
    const int signal = WTERMSIG(wait_status);
    return fmt::format("was ended by signal {} ({})", signal, ::strsignal(signal));
  }
  if (!WIFEXITED(wait_status)) return "ended, and nobody told how";
  return fmt::format("exited with status {}", WEXITSTATUS(wait_status));
}

}  // namespace ridge::ipc
