// ONNX Runtime's shared library: found, opened, and its C API at the newest level that it and our
// headers have in common.
//
//   const Library* library = TRY(Library::open(request));
//   TRY(library->check(library->api().CreateSessionOptions(&raw), Phase::kSetUp));
//
// Every release exports OrtGetApiBase under a symbol version of its own, so linking would tie us to
// one; dlopen does not. Ownership: libraries stay open until the process ends (their threads and
// statics do not survive dlclose). Thread rule: immutable.
#pragma once

#include <onnxruntime_c_api.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "runtime/abi_error.h"

namespace ridge::ort {

/// Where to look: the user's own path, or else folders in order, then what the loader finds by
/// itself.
struct LibraryRequest {
  std::string path;  ///< nothing else is tried where given
  std::vector<std::string>
      folders;  ///< each may hold libonnxruntime.so or libonnxruntime.so.<version>
};

/// What was being done when ONNX Runtime reported a failure: decides who has to act.
enum class Phase { kSetUp, kLoad, kInputs, kRun };

class Library {
 public:
  /// Environment errors: none found, not loadable, not ONNX Runtime, too old.
  static Result<std::unique_ptr<const Library>> open(const LibraryRequest& request);

  const OrtApi& api() const { return *api_; }
  const OrtApiBase& base() const { return *base_; }
  std::uint32_t level() const { return level_; }
  const std::string& version() const { return version_; }
  const std::string& path() const { return path_; }

  /// Success, or an Error with ONNX Runtime's own message. Releases `status`.
  Result<void> check(OrtStatus* status, Phase phase) const;
  /// For calls whose failure changes nothing.
  void drop(OrtStatus* status) const;

 private:
  Library() = default;
  const OrtApiBase* base_ = nullptr;
  const OrtApi* api_ = nullptr;
  std::uint32_t level_ = 0;
  std::string version_, path_;
};

/// Codes that the C interface turns into outcomes of their own.
inline constexpr char kOutOfMemory[] = "RIDGE-ORT-0030";
inline constexpr char kCancelled[] = "RIDGE-ORT-0031";
inline constexpr runtime::OutcomeCodes kOutcomes{kOutOfMemory, kCancelled};

}  // namespace ridge::ort
