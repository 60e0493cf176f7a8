// SPDX-License-Identifier: Apache-2.0
// The plug-in opened by ridge (lib/ridge/ridge_openvino.so): finds and opens OpenVINO's library,
// then the backend next to this file, which is linked against it.
//
// There are two shared objects because OpenVINO's C++ interface must be linked: the backend names
// the library it was built with, and the system's loader is satisfied once a library of that name
// is open. So ridge starts without OpenVINO and can report what is missing, and a library of the
// user's choice can be in any folder.
#include <dlfcn.h>

#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "base/result.h"
#include "runtime/abi.h"
#include "runtime/library_file.h"
#include "runtime/openvino/outcomes.h"
#include "runtime/plugin_calls.h"

namespace ridge::openvino {
namespace {

// the library that the backend was linked with
constexpr char kLibraryName[] = RIDGE_OPENVINO_LIBRARY;
constexpr char kBackend[] = "ridge_openvino_backend.so";
constexpr char kHowToGet[] =
    "pip install openvino into the Python environment of ridge, run scripts/fetch_openvino.sh and "
    "build again in a clone, or name one with --runtime-library PATH";
constexpr std::uint64_t kAtBest = RIDGE_CAN_PROFILE | RIDGE_CAN_RUN_ASYNC | RIDGE_CAN_CANCEL |
                                  RIDGE_HAS_LAYERS | RIDGE_KEEPS_PROFILING | RIDGE_HAS_WORKERS |
                                  RIDGE_HAS_HAND_OVER | RIDGE_CAN_PREPARE | RIDGE_CAN_FORK;

const RidgeRuntimeApi* backend = nullptr;  // set by the first open, never reset

struct Attempt {
  bool opened = false;
  std::string failure;
};

/// Opens a library by its real path: OpenVINO looks for its device plug-ins next to the path by
/// which it was opened.
Attempt try_open(const std::string& path) {
  if (std::string why = runtime::not_a_library(path); !why.empty()) return {false, std::move(why)};
  std::error_code failed;
  const auto real = std::filesystem::canonical(path, failed);
  if (::dlopen(failed ? path.c_str() : real.c_str(), RTLD_NOW | RTLD_LOCAL) != nullptr)
    return {true, {}};
  return {false, ::dlerror()};
}

Result<void> open_library(const RidgeOpenOptions& options) {
  if (options.library != nullptr && options.library[0] != '\0') {
    const Attempt attempt = try_open(options.library);
    if (attempt.opened) return {};
    return environment_error("RIDGE-OV-0002", "the OpenVINO library cannot be opened")
        .evidence(attempt.failure)
        .hint(std::string("--runtime-library needs the path of a ") + kLibraryName);
  }
  std::string tried;
  std::vector<std::string> candidates;
  for (std::uint32_t i = 0; i < options.folder_count; ++i)
    candidates.push_back(std::string(options.folders[i]) + "/" + kLibraryName);
  candidates.emplace_back(kLibraryName);
  for (const std::string& path : candidates) {
    std::error_code ignored;
    if (path.find('/') != std::string::npos && !std::filesystem::exists(path, ignored)) continue;
    const Attempt attempt = try_open(path);
    if (attempt.opened) return {};
    tried += (tried.empty() ? "" : "; ") + attempt.failure;
  }
  return environment_error("RIDGE-OV-0001", "no OpenVINO library was found")
      .evidence("tried: " + tried)
      .hint(kHowToGet);
}

Result<const RidgeRuntimeApi*> open_backend() {
  Dl_info here{};
  ::dladdr(reinterpret_cast<const void*>(&kBackend), &here);
  const std::string folder =
      std::filesystem::path(here.dli_fname != nullptr ? here.dli_fname : "").parent_path().string();
  const std::string path = folder + "/" + kBackend;
  void* handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr)
    return environment_error("RIDGE-OV-0003",
                             "the OpenVINO library is not the one that ridge was built with")
        .evidence(::dlerror())
        .hint(std::string("name a ") + kLibraryName + " with --runtime-library, or build again");
  const auto get_api = reinterpret_cast<RidgeGetApi>(::dlsym(handle, RIDGE_RUNTIME_GET_API));
  const RidgeRuntimeApi* api = get_api != nullptr ? get_api(RIDGE_RUNTIME_ABI) : nullptr;
  if (api == nullptr) return bug("the backend speaks another interface", path);
  return api;
}

Result<void> connect(const RidgeOpenOptions& options) {
  if (backend != nullptr) return {};
  TRY(open_library(options));
  backend = TRY(open_backend());
  return {};
}

RidgeStatus open(const RidgeOpenOptions* options, RidgeRuntime** runtime, RidgeError* error) {
  const auto caught = [] { return runtime::caught_error(kOutcomes, "OpenVINO"); };
  const RidgeStatus connected = runtime::answer(
      kOutcomes, error, caught, [&] { return connect(runtime::received(*options)); });
  return connected == RIDGE_OK ? backend->open(options, runtime, error) : connected;
}

/// A call of the backend. All of them need an opened runtime, so `backend` is set.
template <auto kCall>
struct OfBackend;
template <typename Returned, typename... Args, Returned (*RidgeRuntimeApi::*kCall)(Args...)>
struct OfBackend<kCall> {
  static Returned call(Args... args) { return (backend->*kCall)(args...); }
};

using Api = RidgeRuntimeApi;
constexpr Api kApi = {.size = sizeof(Api),
                      .version = RIDGE_RUNTIME_ABI,
                      .name = "openvino",
                      .capabilities = kAtBest,
                      .open = open,
                      .info = OfBackend<&Api::info>::call,
                      .close = OfBackend<&Api::close>::call,
                      .load = OfBackend<&Api::load>::call,
                      .graph = OfBackend<&Api::graph>::call,
                      .set_inputs = OfBackend<&Api::set_inputs>::call,
                      .run = OfBackend<&Api::run>::call,
                      .run_async = OfBackend<&Api::run_async>::call,
                      .outputs = OfBackend<&Api::outputs>::call,
                      .profile = OfBackend<&Api::profile>::call,
                      .facts = OfBackend<&Api::facts>::call,
                      .cancel = OfBackend<&Api::cancel>::call,
                      .unload = OfBackend<&Api::unload>::call,
                      .prepare_input = OfBackend<&Api::prepare_input>::call,
                      .drop_input = OfBackend<&Api::drop_input>::call,
                      .open_worker = OfBackend<&Api::open_worker>::call,
                      .run_worker = OfBackend<&Api::run_worker>::call,
                      .worker_outputs = OfBackend<&Api::worker_outputs>::call,
                      .close_worker = OfBackend<&Api::close_worker>::call,
                      .hand_over = OfBackend<&Api::hand_over>::call,
                      .worker_inputs = OfBackend<&Api::worker_inputs>::call,
                      .prepare = OfBackend<&Api::prepare>::call,
                      .quiesce = OfBackend<&Api::quiesce>::call,
                      .resume = OfBackend<&Api::resume>::call};

}  // namespace
}  // namespace ridge::openvino

extern "C" __attribute__((visibility("default"))) const RidgeRuntimeApi* ridge_runtime_get_api(
    uint32_t version) {
  return version == RIDGE_RUNTIME_ABI ? &ridge::openvino::kApi : nullptr;
}
