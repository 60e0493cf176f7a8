// What measuring needs of the program around it: the host, folders, who stops it, and who receives
// what it reports.
//
//   class Printed : public workbench::Notices { ... };
//   Printed notices;
//   const workbench::Environment environment{machine::this_host(), notices};
//   Series series = TRY(workbench::measure_series("model.onnx", spec, environment));
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
#include "runtime/runtime.h"

namespace ridge::workbench {

/// Receives what measuring reports on its way. The progress line is hidden before each call.
class Notices {
 public:
  virtual ~Notices() = default;
  /// A warning about a file, usually the model; `file` is empty where it is about none.
  virtual void warn(std::string_view file, std::string_view text) = 0;
  /// One of several measurements failed, and the others go on.
  virtual void failed(const Error& error) = 0;
  /// One line, without its end, on what is about to happen or has happened.
  virtual void status(std::string_view line) = 0;
};

struct Environment {
  machine::Host host;
  Notices& notices;
  /// The folders in which a runtime's library is looked for; null: the plug-in's own folder.
  std::function<std::vector<std::string>(const runtime::KnownRuntime&)> library_folders = {};
  std::string cache_folder = {};            ///< of measured roofs; empty: measured each time
  std::string tvm_folder = {};              ///< workbench/tvm.h; empty: there is no TVM
  const std::atomic<bool>* stop = nullptr;  ///< true: end early and keep what there is; may be null
  Progress* progress = nullptr;             ///< may be null

  bool stopped() const { return stop != nullptr && stop->load(); }
  void hide_progress() const {
    if (progress != nullptr) progress->hide();
  }
};

}  // namespace ridge::workbench
