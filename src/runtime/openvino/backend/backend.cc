// The C interface (runtime/abi.h) over Session, in the shared object linked against OpenVINO:
// translates arguments and catches exceptions.
#include <sys/stat.h>
#include <unistd.h>

#include <new>
#include <string_view>
#include <utility>

#include "base/file.h"
#include "runtime/openvino/backend/session.h"
#include "runtime/session_calls.h"
#include "runtime/sized.h"

struct RidgeRuntime {
  ov::Core core;
  ridge::openvino::Settings settings;
  std::string version, library;
};

struct RidgeSession {
  std::unique_ptr<ridge::openvino::Session> session;
};

namespace ridge::openvino {
namespace {

constexpr std::uint64_t kCapabilities =
    RIDGE_CAN_PROFILE | RIDGE_CAN_RUN_ASYNC | RIDGE_CAN_CANCEL | RIDGE_HAS_LAYERS;
constexpr char kNotes[] =
    "OpenVINO tells running means of layer times in whole microseconds; single runs are what these "
    "allow";

/// Runs `body`, a Result<void>(), and converts its result or exception to a status.
struct Answer {
  template <typename Body>
  RidgeStatus operator()(RidgeError* error, Body body) const noexcept {
    const auto run = [&]() -> Result<void> {
      try {
        return body();
      } catch (...) {
        return caught(Phase::kSetUp);
      }
    };
    const Result<void> done = run();
    return done ? RIDGE_OK : runtime::fill_error(done.error(), kOutcomes, error);
  }
};
constexpr Answer kAnswer;

/// "2026.4.1-22982-abcdef" -> 2026.4.1
std::string short_version(std::string_view build) {
  return std::string(build.substr(0, build.find('-')));
}

RidgeStatus open(const RidgeOpenOptions* options, RidgeRuntime** runtime, RidgeError* error) {
  return kAnswer(error, [&]() -> Result<void> {
    auto settings = TRY(read_settings(runtime::received(*options)));
    TRY(pin(settings));
    auto opened = std::make_unique<RidgeRuntime>();
    opened->settings = std::move(settings);
    opened->version = short_version(ov::get_openvino_version().buildNumber);
    opened->library = library_path();
    *runtime = opened.release();
    return {};
  });
}

RidgeStatus info(RidgeRuntime* runtime, RidgeInfo* out, RidgeError*) {
  RidgeInfo info{};
  info.capabilities = kCapabilities;
  info.name = "OpenVINO";
  info.version = runtime->version.c_str();
  info.library = runtime->library.c_str();
  info.notes = kNotes;
  runtime::give(info, out);
  return RIDGE_OK;
}

void close(RidgeRuntime* runtime) { delete runtime; }

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

RidgeStatus load(RidgeRuntime* runtime, const RidgeModel* given, RidgeSession** session,
                 RidgeError* error) {
  return kAnswer(error, [&]() -> Result<void> {
    const RidgeModel model = runtime::received(*given);
    std::string storage;
    const std::string_view bytes = TRY(model_bytes(model, storage));
    auto loaded = TRY(Session::load(runtime->core, runtime->settings, bytes, model.weights));
    *session = new RidgeSession{std::move(loaded)};
    return {};
  });
}

RidgeStatus facts(RidgeSession*, const RidgeFactSink*, RidgeError* error) {
  return kAnswer(error, []() -> Result<void> {
    return usage_error("RIDGE-OV-0025", "OpenVINO says nothing of its layers' memory");
  });
}

using Calls = runtime::SessionCalls<RidgeSession, Answer>;

constexpr RidgeRuntimeApi kApi = {sizeof(RidgeRuntimeApi),
                                  RIDGE_RUNTIME_ABI,
                                  "openvino",
                                  kCapabilities,
                                  open,
                                  info,
                                  close,
                                  load,
                                  Calls::graph,
                                  Calls::set_inputs,
                                  Calls::run,
                                  Calls::run_async,
                                  Calls::outputs,
                                  Calls::profile,
                                  facts,
                                  Calls::cancel,
                                  Calls::unload};

}  // namespace
}  // namespace ridge::openvino

extern "C" __attribute__((visibility("default"))) const RidgeRuntimeApi* ridge_runtime_get_api(
    uint32_t version) {
  return version == RIDGE_RUNTIME_ABI ? &ridge::openvino::kApi : nullptr;
}
