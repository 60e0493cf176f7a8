// SPDX-License-Identifier: Apache-2.0
// Environment of a measurement: the host, folders, the stop flag, and the receiver of notices.
//
//   class ConsoleNotices : public Notices { ... };
//   ConsoleNotices notices;
//   const Environment environment{machine::this_host(), notices};
//   Series series = TRY(measure_series("model.onnx", spec, environment));
//
// Ownership: borrows notices, stop flag and progress, which outlive it. Thread rule: calls come
// from the thread that measures.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/progress.h"
#include "machine/host.h"
#include "runtime/paths.h"

namespace ridge::session {

/// Receives notices during a measurement. The progress line is hidden before each call.
class Notices {
 public:
  virtual ~Notices() = default;
  /// A warning about a file, usually the model; `file` is empty if it concerns none.
  virtual void warn(std::string_view file, std::string_view text) = 0;
  /// One of several measurements failed; the others continue.
  virtual void failed(const Error& error) = 0;
  /// One line about a step that begins or has ended, without the line break.
  virtual void status(std::string_view line) = 0;
};

struct Environment {
  machine::Host host;
  Notices& notices;
  /// Folders to search for a runtime's library; null: the plug-in's own folder.
  std::function<std::vector<std::string>(const runtime::KnownRuntime&)> library_folders = {};
  std::string plugin_folder = {};           ///< see runtime::find_plugin
  std::string cache_folder = {};            ///< cache of measured roofs; empty: none
  std::string tvm_folder = {};              ///< see accelerator/study/tvm.h; empty: no TVM
  const std::atomic<bool>* stop = nullptr;  ///< true: end early, keep results; may be null
  Progress* progress = nullptr;             ///< may be null

  bool stopped() const { return stop != nullptr && stop->load(); }
  void hide_progress() const {
    if (progress != nullptr) progress->hide();
  }
};

}  // namespace ridge::session
