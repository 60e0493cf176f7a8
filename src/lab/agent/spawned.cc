// SPDX-License-Identifier: Apache-2.0
#include "lab/agent/spawned.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

#include "base/clock.h"
#include "base/number.h"
#include "base/text.h"
#include "ipc/spawn_instructions.h"

namespace ridge::lab {
namespace {

using ipc::Descriptor;

Error cannot_start(const std::string& program, int error_number) {
  return environment_error("RIDGE-LAB-0103",
                           fmt::format("cannot start {}: {}", printable(program),
                                       std::generic_category().message(error_number)));
}

struct Pipe {
  Descriptor reading, writing;
};

Result<Pipe> make_pipe(const std::string& program) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return cannot_start(program, errno);
  return Pipe{Descriptor(ends[0]), Descriptor(ends[1])};
}

void do_not_block(const Descriptor& end) {
  ::fcntl(end.get(), F_SETFL, ::fcntl(end.get(), F_GETFL) | O_NONBLOCK);
}

Descriptor ending_of(pid_t pid) {
  const auto fd = ::syscall(SYS_pidfd_open, pid, 0);
  if (fd < 0) return {};
  ::fcntl(static_cast<int>(fd), F_SETFD, FD_CLOEXEC);
  return Descriptor(static_cast<int>(fd));
}

}  // namespace

bool bind_to_parent(std::string_view parent, const char* folder) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  return whole_number<pid_t>(parent) == ::getppid() && ::chdir(folder) == 0;
}

std::vector<std::string> own_command(const std::vector<std::string>& arguments,
                                     const std::string& folder) {
  std::vector<std::string> out = {"/proc/self/exe", std::string(kBoundArgument),
                                  std::to_string(::getpid()), folder};
  out.insert(out.end(), arguments.begin(), arguments.end());
  return out;
}

Result<Spawned> Spawned::start(const SpawnOptions& options) {
  const std::string& program = options.command.front();
  Pipe output = TRY(make_pipe(program));
  Pipe input, errors;
  if (options.input) input = TRY(make_pipe(program));
  if (options.own_errors) errors = TRY(make_pipe(program));
  ipc::SpawnInstructions instructions;
  instructions.detach();
  if (options.input)
    instructions.connect(input.reading.get(), STDIN_FILENO);
  else
    instructions.open_null(STDIN_FILENO);
  instructions.connect(output.writing.get(), STDOUT_FILENO);
  instructions.connect((options.own_errors ? errors : output).writing.get(), STDERR_FILENO);
  std::vector<std::string> texts = options.command;
  std::vector<char*> arguments;
  for (std::string& text : texts) arguments.push_back(text.data());
  arguments.push_back(nullptr);
  Spawned out;
  const int failure = instructions.spawn_named(&out.pid_, program.c_str(), arguments.data());
  if (failure != 0) {
    out.pid_ = 0;
    return cannot_start(program, failure);
  }
  out.input_ = std::move(input.writing);
  out.output_ = std::move(output.reading);
  out.errors_ = std::move(errors.reading);
  out.ending_ = ending_of(out.pid_);
  do_not_block(out.output_);
  if (options.input) do_not_block(out.input_);
  if (options.own_errors) do_not_block(out.errors_);
  return out;
}

Spawned::Spawned(Spawned&& other) noexcept
    : pid_(std::exchange(other.pid_, 0)),
      status_(std::exchange(other.status_, std::nullopt)),
      input_(std::move(other.input_)),
      output_(std::move(other.output_)),
      errors_(std::move(other.errors_)),
      ending_(std::move(other.ending_)) {}

Spawned& Spawned::operator=(Spawned&& other) noexcept {
  std::swap(pid_, other.pid_);
  std::swap(status_, other.status_);
  std::swap(input_, other.input_);
  std::swap(output_, other.output_);
  std::swap(errors_, other.errors_);
  std::swap(ending_, other.ending_);
  return *this;
}

std::optional<int> Spawned::ended() {
  if (pid_ <= 0) return status_;
  siginfo_t info = {};
  if (::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
      info.si_pid == 0)
    return std::nullopt;
  // Ends what it started and did not wait for, while its number is not free for others.
  ::kill(-pid_, SIGKILL);
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) continue;
  pid_ = 0;
  status_ = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  return status_;
}

void Spawned::end(Nanos grace) {
  if (pid_ <= 0) return;
  const Nanos until = steady_clock().now() + grace;
  if (grace.count > 0) ::kill(-pid_, SIGTERM);
  while (!ended()) {
    if (steady_clock().now() >= until) ::kill(-pid_, SIGKILL);
    const timespec pause{0, 1'000'000};
    ::nanosleep(&pause, nullptr);
  }
}

bool read_available(const ipc::Descriptor& from, std::string& out, std::size_t limit) {
  std::array<char, 64 << 10> buffer;
  const std::size_t end = out.size() + limit;
  while (out.size() < end) {
    const std::size_t wanted = std::min(buffer.size(), end - out.size());
    const ssize_t got = ::read(from.get(), buffer.data(), wanted);
    if (got > 0) out.append(buffer.data(), static_cast<std::size_t>(got));
    if (got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN)) return false;
    if (got < 0 && errno == EAGAIN) return true;
  }
  return true;
}

}  // namespace ridge::lab
