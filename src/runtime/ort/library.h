// SPDX-License-Identifier: Apache-2.0
// ONNX Runtime's shared library: search, dlopen, and its C API at the newest version that it and
// our headers share.
//
//   const Library* library = TRY(Library::open(request));
//   TRY(library->check(library->api().CreateSessionOptions(&raw), Phase::kSetUp));
//
// Every release exports OrtGetApiBase under its own symbol version, so linking would require one
// exact release; dlopen does not. Ownership: libraries stay open until the process ends (their
// threads and statics do not survive dlclose). Thread rule: immutable.
#pragma once

#include <onnxruntime_c_api.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "runtime/abi_error.h"

namespace ridge::ort {

/// Search order: the user's own path, or else folders in order, then the loader's search path.
struct LibraryRequest {
  std::string path;  ///< if set, nothing else is tried
  /// Each may contain libonnxruntime.so or libonnxruntime.so.<version>.
  std::vector<std::string> folders;
};

/// Activity during which ONNX Runtime reported a failure; determines the error class.
enum class Phase { kSetUp, kLoad, kInputs, kRun };

class Library {
 public:
  /// Environment errors: none found, not loadable, not ONNX Runtime, too old. Sets this process's
  /// variables that decline ONNX Runtime's telemetry and session options stored in models.
  static Result<std::unique_ptr<const Library>> open(const LibraryRequest& request);

  const OrtApi& api() const { return *api_; }
  const OrtApiBase& base() const { return *base_; }
  std::uint32_t level() const { return level_; }
  const std::string& version() const { return version_; }
  const std::string& path() const { return path_; }

  /// Returns success, or an Error with ONNX Runtime's own message. Releases `status`.
  Result<void> check(OrtStatus* status, Phase phase) const;
  /// Releases the status of a call whose failure has no consequences.
  void drop(OrtStatus* status) const;

 private:
  Library() = default;
  const OrtApiBase* base_ = nullptr;
  const OrtApi* api_ = nullptr;
  std::uint32_t level_ = 0;
  std::string version_, path_;
};

/// Error codes that the C interface converts to statuses of their own.
inline constexpr char kOutOfMemory[] = "RIDGE-ORT-0030";
inline constexpr char kCanceled[] = "RIDGE-ORT-0031";
inline constexpr runtime::OutcomeCodes kOutcomes{kOutOfMemory, kCanceled};

}  // namespace ridge::ort
