// SPDX-License-Identifier: Apache-2.0
// A runtime's process with a model loaded that is copied by fork for each of its users: a copy is
// ready in about a millisecond, and shares all memory that it does not write.
//
//   Template made = TRY(Template::start(options, {.model = bytes, .weights = weights}));
//   Forked copy = TRY(made.fork());                       // may be sent to another process
//   auto [runtime, loaded] = TRY(Runtime::adopt(options, std::move(copy)));
//   TRY(runtime.set_inputs(loaded.session, inputs));
//
// The process is `program --runtime-template` (posix_spawn, as the runtime's child is), whose main
// calls template_main (runtime/serve/template.h). When it forks it does nothing else and has no
// thread that does; it loads one model. A copy is a process of its own: it ends when its user's end
// of its sockets closes, however the user ends, and goes on if the template ends. The template
// collects the copies that end, and tells their users how they ended.
//
// Ownership: the destructor ends the template. Thread rule: one thread. Cost: start() that of
// opening the runtime and loading; fork() copies page tables, 2 MiB of them for a GiB of private
// memory in small pages. Failure: errors as of Runtime; usage errors where a runtime cannot be
// copied (RIDGE-RT-0072, or the runtime's own), environment errors where its threads or the system
// prevent it (RIDGE-RT-0073, 0074).
#pragma once

#include <sys/types.h>

#include <memory>
#include <optional>

#include "base/result.h"
#include "ipc/process_memory.h"
#include "runtime/options.h"
#include "runtime/types.h"

namespace ridge::runtime {

enum class HugePages {
  kWherePossible,  ///< private memory of the template, so that a fork copies few page tables
  kNever,
};

class Template {
 public:
  static Result<Template> start(const Options& options, const LoadRequest& request,
                                HugePages huge_pages = HugePages::kWherePossible);
  Template(Template&&) noexcept;
  Template& operator=(Template&&) noexcept;
  ~Template();

  const RuntimeInfo& info() const;
  const Loaded& loaded() const;
  /// False once the process has ended.
  bool alive() const;
  pid_t process() const;
  /// nullopt after its end.
  std::optional<ipc::ProcessMemory> memory() const;

  /// After an error with alive() still true, such as RIDGE-RT-0074, it may be called again.
  Result<Forked> fork();

 private:
  struct Process;
  explicit Template(std::unique_ptr<Process> process);
  std::unique_ptr<Process> process_;
};

}  // namespace ridge::runtime
