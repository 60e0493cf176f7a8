// SPDX-License-Identifier: Apache-2.0
#include "runtime/ort/library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>

#include "base/version_order.h"
#include "runtime/library_file.h"
#include "runtime/ort/observer/sink.h"

namespace ridge::ort {
namespace {

constexpr std::string_view kStem = "libonnxruntime.so";
constexpr char kHowToGet[] =
    "pip install onnxruntime into the Python environment of ridge, run "
    "scripts/fetch_onnxruntime.sh in a clone, or name one with --runtime-library PATH";

/// Library opened by dlopen, or the failure.
struct Opened {
  void* handle = nullptr;
  std::string path, failure;
};

Opened try_open(const std::string& path) {
  if (std::string why = runtime::not_a_library(path); !why.empty())
    return {nullptr, path, std::move(why)};
  Opened opened{::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL), path, {}};
  if (opened.handle == nullptr) opened.failure = ::dlerror();
  return opened;
}

/// Declines telemetry by the variables that ONNX Runtime has asked for it (1.29: the first, builds
/// before that release: the second). It reads them when its first environment is created, and
/// then neither writes a device identifier below the home folder nor starts an uploading thread;
/// OrtApi::DisableTelemetryEvents alone comes too late for both.
void decline_telemetry() {
  for (const char* variable : {"ORT_DISABLE_TELEMETRY", "ORT_TELEMETRY_DISABLED"})
    ::setenv(variable, "1", 1);
}

/// A model's metadata may hold session options, which replace ours where this variable asks for it.
/// A model may be somebody else's, and what was measured would not be what was asked for.
void decline_options_of_models() { ::unsetenv("ORT_LOAD_CONFIG_FROM_MODEL"); }

/// Library in a folder: the plain name, else the highest version.
std::optional<std::string> library_in(const std::string& folder) {
  std::error_code ignored;
  std::string best;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    if (name == kStem) return entry.path().string();
    const bool versioned = name.starts_with(std::string(kStem) + ".");
    if (versioned && version_before(best, entry.path().string())) best = entry.path().string();
  }
  if (best.empty()) return std::nullopt;
  return best;
}

Result<Opened> find_library(const LibraryRequest& request) {
  if (!request.path.empty()) {
    Opened opened = try_open(request.path);
    if (opened.handle != nullptr) return opened;
    return environment_error("RIDGE-ORT-0002", "the ONNX Runtime library cannot be opened")
        .evidence(opened.failure)
        .hint("--runtime-library needs the path of a libonnxruntime.so for this machine");
  }
  std::string tried;
  const auto attempt = [&](const std::string& path) {
    Opened opened = try_open(path);
    if (opened.handle == nullptr) tried += (tried.empty() ? "" : "; ") + opened.failure;
    return opened;
  };
  for (const std::string& folder : request.folders) {
    const std::optional<std::string> path = library_in(folder);
    if (!path) continue;
    if (Opened opened = attempt(*path); opened.handle != nullptr) return opened;
  }
  for (const char* name : {"libonnxruntime.so", "libonnxruntime.so.1"}) {
    if (Opened opened = attempt(name); opened.handle != nullptr) return opened;
  }
  return environment_error("RIDGE-ORT-0001", "no ONNX Runtime library was found")
      .evidence("tried: " + tried)
      .hint(kHowToGet);
}

/// Path that the loader chose, if it was given only a name.
std::string path_of(const void* symbol, const std::string& otherwise) {
  Dl_info info{};
  if (::dladdr(symbol, &info) == 0 || info.dli_fname == nullptr) return otherwise;
  std::error_code failed;
  const auto real = std::filesystem::canonical(info.dli_fname, failed);
  return failed ? info.dli_fname : real.string();
}

bool says_out_of_memory(std::string_view message) {
  constexpr std::string_view kSigns[] = {"bad_alloc", "Failed to allocate memory", "out of memory",
                                         "Out of memory"};
  return std::any_of(std::begin(kSigns), std::end(kSigns), [&](std::string_view sign) {
    return message.find(sign) != std::string_view::npos;
  });
}

Error describe(OrtErrorCode code, std::string message, Phase phase) {
  if (says_out_of_memory(message)) {
    return environment_error(kOutOfMemory, "ONNX Runtime ran out of memory: " + message)
        .hint("choose a smaller batch or sequence, or a machine with more memory");
  }
  switch (phase) {
    case Phase::kLoad:
      if (code == ORT_NOT_IMPLEMENTED) {
        return input_error("RIDGE-ORT-0021",
                           "ONNX Runtime has no kernel for a part of the model: " + message)
            .hint("use an operator version or element type that this ONNX Runtime supports");
      }
      return input_error("RIDGE-ORT-0020", "ONNX Runtime rejects the model: " + message);
    case Phase::kInputs:
      return input_error("RIDGE-ORT-0022", "ONNX Runtime rejects the inputs: " + message);
    case Phase::kRun:
      return input_error("RIDGE-ORT-0023", "ONNX Runtime failed to run the model: " + message);
    case Phase::kSetUp:
      break;
  }
  return environment_error("RIDGE-ORT-0010", "ONNX Runtime refused to be set up: " + message)
      .hint("check --runtime-option and --threads, or try another library with --runtime-library");
}

}  // namespace

Result<std::unique_ptr<const Library>> Library::open(const LibraryRequest& request) {
  decline_telemetry();
  decline_options_of_models();
  const Opened opened = TRY(find_library(request));
  using GetBase = const OrtApiBase* (*)();
  const auto get_base = reinterpret_cast<GetBase>(::dlsym(opened.handle, "OrtGetApiBase"));
  if (get_base == nullptr) {
    return environment_error("RIDGE-ORT-0003", "the library is not an ONNX Runtime")
        .evidence(::dlerror())
        .hint(kHowToGet)
        .in_file(opened.path);
  }
  auto library = std::unique_ptr<Library>(new Library);
  library->base_ = get_base();
  library->version_ = library->base_->GetVersionString();
  library->path_ = path_of(reinterpret_cast<const void*>(get_base), opened.path);
  library->api_ = negotiate_api(library->base_, kLowestApi, &library->level_);
  if (library->api_ == nullptr) {
    return environment_error("RIDGE-ORT-0004",
                             fmt::format("ONNX Runtime {} is too old: at least 1.{} is needed",
                                         library->version_, kLowestApi))
        .hint(kHowToGet)
        .in_file(library->path_);
  }
  return std::unique_ptr<const Library>(std::move(library));
}

Result<void> Library::check(OrtStatus* status, Phase phase) const {
  if (status == nullptr) return {};
  Error error = describe(api_->GetErrorCode(status), api_->GetErrorMessage(status), phase);
  api_->ReleaseStatus(status);
  return error;
}

void Library::drop(OrtStatus* status) const {
  if (status != nullptr) api_->ReleaseStatus(status);
}

}  // namespace ridge::ort
