// SPDX-License-Identifier: Apache-2.0
// The C interface (runtime/abi.h) over Session, in the shared object linked against OpenVINO:
// translates arguments.
#include <sys/stat.h>
#include <unistd.h>

#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "base/file.h"
#include "runtime/openvino/backend/prepared_model.h"
#include "runtime/openvino/backend/session.h"
#include "runtime/openvino/backend/worker.h"
#include "runtime/plugin_calls.h"

struct RidgeRuntime {
  ov::Core core;
  ridge::openvino::Settings settings;
  std::string version, library;
  std::optional<ridge::openvino::PreparedModel> prepared;  // the last one
};

struct RidgeSession {
  std::unique_ptr<ridge::openvino::Session> session;
};

struct RidgeWorker {
  std::unique_ptr<ridge::openvino::Worker> worker;
};

struct RidgePreparedInput {
  ridge::openvino::PreparedInput prepared;
};

namespace ridge::openvino {
namespace {

constexpr char kNotes[] =
    "OpenVINO tells running means of layer times in whole microseconds; single runs are what these "
    "allow";

/// "2026.4.1-22982-abcdef" -> 2026.4.1
std::string short_version(std::string_view build) {
  return std::string(build.substr(0, build.find('-')));
}

/// Returns the bytes of the whole model from any of the three sources; `storage` owns them if they
/// had to be read.
Result<std::string_view> model_bytes(const RidgeModel& model, std::string& storage) {
  if (model.data != nullptr)
    return std::string_view(static_cast<const char*>(model.data), model.bytes);
  const std::string path = model.path != nullptr
                               ? std::string(model.path)
                               : "/proc/self/fd/" + std::to_string(model.descriptor);
  constexpr std::int64_t kLimit = std::int64_t{2} << 30;
  storage = TRY(read_file(path, kLimit));
  return std::string_view(storage);
}

struct Plugin {
  static constexpr char kName[] = "openvino";
  static constexpr std::uint64_t kCapabilities =
      RIDGE_CAN_PROFILE | RIDGE_CAN_RUN_ASYNC | RIDGE_CAN_CANCEL | RIDGE_HAS_LAYERS |
      RIDGE_KEEPS_PROFILING | RIDGE_HAS_WORKERS | RIDGE_HAS_HAND_OVER | RIDGE_CAN_PREPARE |
      RIDGE_CAN_FORK;
  static constexpr runtime::OutcomeCodes kOutcomes = openvino::kOutcomes;

  static Result<std::unique_ptr<RidgeRuntime>> open(const RidgeOpenOptions& options) {
    auto settings = TRY(read_settings(options));
    TRY(pin(settings));
    auto opened = std::make_unique<RidgeRuntime>();
    opened->settings = std::move(settings);
    opened->version = short_version(ov::get_openvino_version().buildNumber);
    opened->library = library_path();
    return opened;
  }

  static RidgeInfo info(const RidgeRuntime& runtime) {
    RidgeInfo info{};
    info.capabilities = kCapabilities;
    info.name = "OpenVINO";
    info.version = runtime.version.c_str();
    info.library = runtime.library.c_str();
    info.notes = kNotes;
    return info;
  }

  static Result<std::unique_ptr<Session>> load(RidgeRuntime& runtime, const RidgeModel& model) {
    std::string storage;
    const std::string_view bytes = TRY(model_bytes(model, storage));
    if ((model.flags & RIDGE_MODEL_PREPARED) != 0)
      return Session::load_prepared(runtime.core, runtime.settings,
                                    TRY(read_import(bytes, model.weights)));
    return Session::load(runtime.core, runtime.settings, bytes, model.weights);
  }

  static Result<RidgePrepared> prepare(RidgeRuntime& runtime, const RidgeModel& model) {
    std::string storage;
    const std::string_view bytes = TRY(model_bytes(model, storage));
    runtime.prepared.reset();
    runtime.prepared.emplace(
        TRY(PreparedModel::make(runtime.core, runtime.settings, bytes, model.weights)));
    return runtime.prepared->view();
  }
  static Result<void> quiesce(const RidgeRuntime& runtime) { return check_quiet(runtime.settings); }
  static Result<void> resume(RidgeRuntime& runtime) {
    runtime.settings.copied = true;
    return {};
  }

  static Error caught() { return openvino::caught(Phase::kSetUp); }
};

}  // namespace
}  // namespace ridge::openvino

extern "C" __attribute__((visibility("default"))) const RidgeRuntimeApi* ridge_runtime_get_api(
    uint32_t version) {
  return ridge::runtime::PluginCalls<ridge::openvino::Plugin>::table(version);
}
