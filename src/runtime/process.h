// A child process: started, ended, and described where it ended by itself.
//
// Started with posix_spawn; a runtime's in a process group of its own, so that Ctrl-C reaches ridge
// and not the runtime. Its standard output and error go to memory, whose last lines become evidence
// in an Error. Destruction ends it.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/units.h"
#include "runtime/descriptor.h"

namespace ridge::runtime {

class Process {
 public:
  /// The parent's ends of what the child finds as descriptors 3 and 4.
  struct Started;
  static Result<Started> start(const std::string& program);
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
  Descriptor channel, control;
};

/// "was ended by signal 11 (Segmentation fault)", "exited with status 1".
std::string describe_end(int wait_status);

}  // namespace ridge::runtime
