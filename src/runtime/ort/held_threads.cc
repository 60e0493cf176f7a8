// SPDX-License-Identifier: Apache-2.0
#include "runtime/ort/held_threads.h"

#include <fmt/format.h>
#include <sched.h>

#include <system_error>

namespace ridge::ort {
namespace {

std::string reason(int error_number) { return std::generic_category().message(error_number); }

}  // namespace

Error cannot_pin(std::uint32_t cpu, int error_number) {
  return environment_error("RIDGE-ORT-0013", fmt::format("cannot pin a thread to processor {}: {}",
                                                         cpu, reason(error_number)))
      .hint("choose processors that this process may use (taskset -pc $$ shows them)");
}

Result<void> HeldThreads::Thread::start() {
  const auto run = [](void* self) -> void* {
    const auto& thread = *static_cast<Thread*>(self);
    thread.work(thread.argument);
    return nullptr;
  };
  pthread_t made{};
  if (const int failure = ::pthread_create(&made, nullptr, run, this); failure != 0)
    return environment_error("RIDGE-ORT-0041",
                             "the threads of ONNX Runtime cannot be started: " + reason(failure))
        .hint("check the limits on processes (ulimit -u, cgroups), or use fewer threads");
  running = made;
  cpu_set_t set;
  CPU_ZERO(&set);
  if (!cpu || *cpu >= CPU_SETSIZE) return {};
  CPU_SET(*cpu, &set);
  const int failure = ::pthread_setaffinity_np(made, sizeof(set), &set);
  return failure == 0 ? Result<void>() : cannot_pin(*cpu, failure);
}

Result<void> HeldThreads::provide(const Library& library, OrtSessionOptions* options) {
  const OrtApi& api = library.api();
  TRY(library.check(api.SessionOptionsSetCustomCreateThreadFn(options, create), Phase::kSetUp));
  TRY(library.check(api.SessionOptionsSetCustomThreadCreationOptions(options, this),
                    Phase::kSetUp));
  return library.check(api.SessionOptionsSetCustomJoinThreadFn(options, join), Phase::kSetUp);
}

Result<void> HeldThreads::start() {
  started_ = true;
  for (Thread& thread : threads_)
    if (!thread.running) TRY(thread.start());
  return {};
}

OrtCustomThreadHandle HeldThreads::create(void* self, OrtThreadWorkerFn work, void* argument) {
  auto& held = *static_cast<HeldThreads*>(self);
  const std::size_t number = held.threads_.size();
  std::optional<std::uint32_t> cpu;
  if (number < held.cpus_.size()) cpu = held.cpus_[number];
  Thread& thread = held.threads_.emplace_back(Thread{work, argument, cpu, std::nullopt});
  if (held.started_ && !thread.start().ok()) return nullptr;  // ONNX Runtime reports it
  return reinterpret_cast<OrtCustomThreadHandle>(&thread);
}

/// A thread that never ran has nothing to end.
void HeldThreads::join(OrtCustomThreadHandle handle) {
  auto& thread = *reinterpret_cast<Thread*>(const_cast<char*>(&handle->__place_holder));
  if (thread.running) ::pthread_join(*thread.running, nullptr);
  thread.running.reset();
}

}  // namespace ridge::ort
