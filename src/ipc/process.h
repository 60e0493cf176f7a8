// SPDX-License-Identifier: Apache-2.0
// Child process: start, termination, and a description of how it ended.
//
// The child is started with posix_spawn. Its standard output and error go to a file in memory,
// whose last lines become evidence in an Error. The destructor kills the child.
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

/// Descriptors of the channel and of the control socket in a child that Process::start() started.
inline constexpr int kChannelDescriptor = 3;
inline constexpr int kControlDescriptor = 4;

/// The sockets and the output of a child to come: our ends, and those that become its descriptors
/// (above the numbers that these have in the child).
struct ChildSockets {
  Descriptor channel, control;
  Descriptor their_channel, their_control;
  Descriptor output;  ///< empty file in memory for standard output and error

  /// Environment error if the system has no room for them.
  static Result<ChildSockets> make();
};

/// Status of a process of which nobody knows how it ended.
inline constexpr int kUnknownEnd = -1;

class Process {
 public:
  /// Process and the parent's ends of the child's channel and control socket.
  struct Started;
  /// Starts a program with one argument, connected by a channel and a control socket, in its own
  /// process group, so that Ctrl-C reaches this program and not the child. Environment error if
  /// this process was itself started with that argument: its main then does not recognize the
  /// argument, and each child would start another one.
  static Result<Started> start(const std::string& program, std::string_view argument);
  /// Starts another program; command[0] is its path. It has no standard input and stays in the
  /// group of this process, so that Ctrl-C ends both.
  static Result<Process> start_command(const std::vector<std::string>& command);
  /// A process that another one started. `handle`: its pidfd; not open where the system has none.
  /// `told`: socket on which its parent sends its wait status, an int, after its end, and which
  /// ends when both have ended. `output`: the file of its output.
  static Process adopt(pid_t id, Descriptor handle, Descriptor told, Descriptor output);

  Process() = default;
  Process(Process&& other) noexcept;
  Process& operator=(Process&& other) noexcept;
  ~Process();

  bool running() const { return pid_ > 0; }
  /// Waits for its end; nullopt if it still runs at the deadline. The status is waitpid's, or
  /// kUnknownEnd.
  std::optional<int> wait(Nanos deadline);
  void kill() const;
  /// True if stopped by a signal (SIGSTOP, SIGTSTP); false under a debugger and after its end.
  bool stopped() const;
  pid_t id() const { return pid_; }
  /// CPU time used so far, all threads; nullopt after its end.
  std::optional<Nanos> cpu_time() const;
  /// Memory that is resident now; nullopt after its end.
  std::optional<Bytes> resident() const;
  /// Last lines of its output, at most 1000 bytes.
  std::string last_words() const;

 private:
  std::optional<int> ending() const;
  std::optional<int> told_ending();

  pid_t pid_ = 0;
  bool leads_group_ = false;
  bool foreign_ = false;       // started by another process
  Descriptor handle_, told_;   // of a foreign one
  std::optional<Nanos> gone_;  // when a foreign one was seen to have ended, its status not told
  std::optional<int> status_;
  Descriptor output_;
};

struct Process::Started {
  Process process;
  /// The ends that this process keeps.
  Descriptor channel, control;
};

/// Describes how a process ended: "was ended by signal 11 (Segmentation fault)", "exited with
/// status 1".
std::string describe_end(int wait_status);

}  // namespace ridge::ipc
