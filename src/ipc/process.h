// A child process: started, ended, and described where it ended by itself.
//
// Started with posix_spawn. Its standard output and error go to memory, whose last lines become
// evidence in an Error. Destruction ends it.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/units.h"
#include "ipc/descriptor.h"

namespace ridge::ipc {

/// Where a child that Process::start() started finds its end of the channel and of the control
/// socket.
inline constexpr int kChannelDescriptor = 3;
inline constexpr int kControlDescriptor = 4;

class Process {
 public:
  struct Started;
  /// A program with one argument, connected by a channel and a control socket, in a process group
  /// of its own, so that Ctrl-C reaches this program and not the child. A bug of the program where
  /// this process was itself started with that argument: its main ignores it.
  static Result<Started> start(const std::string& program, std::string_view argument);
  /// Another program with its arguments, the first of which is its path. It has no standard input
  /// and stays in the group of this process, so that Ctrl-C ends both.
  static Result<Process> start_command(const std::vector<std::string>& command);

  Process() = default;
  Process(Process&& other) noexcept;
  Process& operator=(Process&& other) noexcept;
  ~Process();

  bool running() const { return pid_ > 0; }
  /// Waits for its end; nullopt where it still runs at the deadline. The status is that of waitpid.
  std::optional<int> wait(Nanos deadline);
  void kill() const;
  /// Stopped by a signal (SIGSTOP, SIGTSTP); false under a debugger and once it has ended.
  bool stopped() const;
  pid_t id() const { return pid_; }
  /// CPU time that it has used until now, all threads; nullopt once it has ended.
  std::optional<Nanos> cpu_time() const;
  /// The last lines that it wrote, at most 1000 bytes.
  std::string last_words() const;

 private:
  pid_t pid_ = 0;
  bool leads_group_ = false;
  std::optional<int> status_;
  Descriptor output_;
};

struct Process::Started {
  Process process;
  /// This process's ends.
  Descriptor channel, control;
};

/// "was ended by signal 11 (Segmentation fault)", "exited with status 1".
std::string describe_end(int wait_status);

}  // namespace ridge::ipc
