// SPDX-License-Identifier: Apache-2.0
// Threads that sessions of ONNX Runtime ask for, held back while their process has to do without
// (RIDGE_CAN_FORK), and started in the copy of the process that runs the session.
//
//   HeldThreads threads(cpus);
//   TRY(threads.provide(library, options));   // sessions with these options start none
//   ... fork ...
//   TRY(threads.start());                     // from now on they start at once
//
// Ownership: outlives the sessions. Thread rule: one thread.
#pragma once

#include <pthread.h>

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "runtime/ort/library.h"

namespace ridge::ort {

/// Error (RIDGE-ORT-0013) for a processor that a thread may not run on.
Error cannot_pin(std::uint32_t cpu, int error_number);

class HeldThreads {
 public:
  /// Processors to pin the first threads to; empty: none is pinned.
  explicit HeldThreads(std::vector<std::uint32_t> cpus) : cpus_(std::move(cpus)) {}
  HeldThreads(const HeldThreads&) = delete;
  HeldThreads& operator=(const HeldThreads&) = delete;

  Result<void> provide(const Library& library, OrtSessionOptions* options);
  /// Environment errors: the system starts no thread (RIDGE-ORT-0041), or does not pin it (0013).
  Result<void> start();

 private:
  struct Thread {
    OrtThreadWorkerFn work = nullptr;
    void* argument = nullptr;
    std::optional<std::uint32_t> cpu;
    std::optional<pthread_t> running;

    Result<void> start();
  };
  static OrtCustomThreadHandle create(void* self, OrtThreadWorkerFn work, void* argument);
  static void join(OrtCustomThreadHandle handle);

  std::vector<std::uint32_t> cpus_;
  std::deque<Thread> threads_;  // ONNX Runtime keeps their addresses
  bool started_ = false;
};

}  // namespace ridge::ort
