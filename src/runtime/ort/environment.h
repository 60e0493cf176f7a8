// SPDX-License-Identifier: Apache-2.0
// One opened ONNX Runtime: the library, its environment, the observer, and the options common to
// all sessions.
//
// Ownership: sessions refer to their Environment, which must outlive them. Thread rule: one thread,
// except as sessions state.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "runtime/abi.h"
#include "runtime/ort/handles.h"
#include "runtime/ort/held_threads.h"
#include "runtime/ort/observer/sink.h"

namespace ridge::ort {

struct Settings {
  LibraryRequest library;
  std::uint32_t threads = 1;
  RidgeOptimization optimization = RIDGE_OPTIMIZE_ALL;
  std::vector<std::uint32_t> cpus;  ///< empty, or one per thread
  bool deterministic = false;
  std::vector<std::pair<std::string, std::string>> entries;  ///< session configuration
  std::string temporary;  ///< an existing folder for files of a call; empty: TMPDIR's
  bool observe = true;    ///< "ridge.observer" = "off": read profile files instead
  /// "ridge.thread_pool" = "shared": all sessions run on the same threads. Otherwise each has its
  /// own, which go on to spin after a run, on the processors that the next session needs.
  bool share_threads = false;
  /// "ridge.execution" = "parallel": independent nodes run at the same time, on
  /// `inter_op_threads` ("ridge.inter_op_threads"). Threads are not bound to processors then.
  bool parallel = false;
  int inter_op_threads = 1;
};

class Environment {
 public:
  static Result<std::unique_ptr<Environment>> open(Settings settings);

  const Settings& settings() const { return settings_; }
  const Library& library() const { return *library_; }
  OrtEnv* env() const { return env_.get(); }
  /// nullptr if the observer could not be registered; notes() has the reason.
  const OrtEpDevice* observer() const { return observer_; }
  const std::string& notes() const { return notes_; }

  /// Sets the destination of observations of all sessions in the process; nullptr: none.
  void set_sink(const Sink* sink) const;

  /// Notes where a session with an arena reach keeps its outputs, before it runs, and releases
  /// the outputs of the one that ran before it, so that nothing lies in the arena. nullptr: it is
  /// closed.
  void use_arena(std::vector<OrtValue*>* outputs) const;

  /// Sessions whose options are made from now on start no threads until resume() (RIDGE_CAN_FORK).
  /// Usage error: the settings need threads that exist already, or pin them by ONNX Runtime's own
  /// option (RIDGE-ORT-0042).
  Result<void> quiesce();
  /// Errors: HeldThreads::start()'s.
  Result<void> resume();

  /// Session options according to the settings, without a model's own.
  Result<Handle<OrtSessionOptions>> session_options() const;
  /// Pins the calling thread to the first processor of the settings.
  Result<void> pin_caller() const;

 private:
  Environment(Settings settings, std::unique_ptr<const Library> library);
  Result<Handle<OrtEnv>> create_env() const;
  Result<void> register_observer();
  /// True if the settings ask for one arena for all sessions, which ONNX Runtime offers only if the
  /// environment has an allocator to share.
  bool shares_memory() const;
  Result<void> register_allocator();
  std::string affinities() const;

  Settings settings_;
  std::unique_ptr<const Library> library_;
  Handle<OrtEnv> env_;
  SetSink set_sink_ = nullptr;
  mutable std::vector<OrtValue*>* in_arena_ = nullptr;  // outputs of the session that ran last
  const OrtEpDevice* observer_ = nullptr;
  std::unique_ptr<HeldThreads> held_;  // null: sessions start their threads
  std::string notes_;
};

}  // namespace ridge::ort
