// SPDX-License-Identifier: Apache-2.0
// Arguments of posix_spawn, released on destruction.
//
//   SpawnInstructions instructions;
//   instructions.open_null(STDIN_FILENO);
//   instructions.connect(output.get(), STDOUT_FILENO);
//   const int failure = instructions.spawn(&pid, "/proc/self/exe", arguments);   // 0: started
//
// Thread rule: one thread.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>

extern char** environ;  // NOLINT: POSIX declares it nowhere

namespace ridge::ipc {

class SpawnInstructions {
 public:
  SpawnInstructions() {
    posix_spawn_file_actions_init(&actions_);
    posix_spawnattr_init(&attributes_);
  }
  SpawnInstructions(const SpawnInstructions&) = delete;
  SpawnInstructions& operator=(const SpawnInstructions&) = delete;
  ~SpawnInstructions() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }

  void connect(int fd, int as) { posix_spawn_file_actions_adddup2(&actions_, fd, as); }
  void open_null(int as) {
    posix_spawn_file_actions_addopen(&actions_, as, "/dev/null", O_RDONLY, 0);
  }
  /// Puts the child in its own process group, with default signal handling.
  void detach() {
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setpgroup(&attributes_, 0);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &all);
    posix_spawnattr_setflags(
        &attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  /// After detach(): in its own session too, so that no terminal ends it.
  void leave_session() {
    posix_spawnattr_setflags(&attributes_,
                             POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  /// Starts the program at a path; the number of the error, 0 without one.
  int spawn(pid_t* pid, const char* program, char* const* arguments) const {
    return posix_spawn(pid, program, &actions_, &attributes_, arguments, environ);
  }
  /// Starts a program by its name, which is looked for in PATH unless it has a slash.
  int spawn_named(pid_t* pid, const char* program, char* const* arguments) const {
    return posix_spawnp(pid, program, &actions_, &attributes_, arguments, environ);
  }

 private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

}  // namespace ridge::ipc
