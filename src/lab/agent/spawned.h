// SPDX-License-Identifier: Apache-2.0
// A program beside this one, with pipes to it, in a process group of its own.
//
//   Spawned agent = TRY(Spawned::start({.command = own_command({"agent"}), .input = true}));
//   poll(agent.output(), agent.ending()); agent.ended()
//
// Ends with this program: start_own() names this process to the child, which asks the kernel to be
// killed when it ends, however it ends (bind_to_parent). The destructor ends the group.
// Thread rule: one thread, which lives as long as the child.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/units.h"
#include "ipc/descriptor.h"

namespace ridge::lab {

/// First argument of ridge where another ridge started it, before the number of that process and
/// the folder to work in.
inline constexpr std::string_view kBoundArgument = "--bound-to";

/// For main: has the kernel kill this process when its parent ends, and goes to the folder; false
/// if the parent has ended already, or there is no such folder.
bool bind_to_parent(std::string_view parent, const char* folder);

struct SpawnOptions {
  std::vector<std::string> command;  ///< the program, found in PATH unless it has a slash
  bool input = false;                ///< a pipe to its standard input; else it has none
  bool own_errors = false;           ///< a pipe of its own for standard error; else that of output
};

/// This ridge with arguments, bound to this process, in a folder.
std::vector<std::string> own_command(const std::vector<std::string>& arguments,
                                     const std::string& folder = ".");

class Spawned {
 public:
  /// Environment error RIDGE-LAB-0103: it cannot be started.
  static Result<Spawned> start(const SpawnOptions& options);
  Spawned() = default;
  Spawned(Spawned&& other) noexcept;
  Spawned& operator=(Spawned&& other) noexcept;
  ~Spawned() { end(Nanos{0}); }

  bool running() const { return pid_ > 0; }
  pid_t id() const { return pid_; }
  /// This program's ends, which do not block.
  const ipc::Descriptor& input() const { return input_; }
  const ipc::Descriptor& output() const { return output_; }
  const ipc::Descriptor& errors() const { return errors_; }
  void close_input() { input_.reset(); }
  /// Readable once it has ended; closed where the kernel lacks pidfd_open.
  const ipc::Descriptor& ending() const { return ending_; }
  /// Its exit status, 128 + signal; nullopt while it runs.
  std::optional<int> ended();
  /// Ends its group: SIGTERM, and SIGKILL after `grace`. Returns once it has ended.
  void end(Nanos grace);

 private:
  pid_t pid_ = 0;
  std::optional<int> status_;
  ipc::Descriptor input_, output_, errors_, ending_;
};

/// Appends what can be read now to `out`, at most `limit` bytes; false once the other side closed.
bool read_available(const ipc::Descriptor& from, std::string& out, std::size_t limit);

}  // namespace ridge::lab
