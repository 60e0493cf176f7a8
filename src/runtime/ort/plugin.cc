// The C interface (runtime/abi.h) over Environment and Session: translates arguments and catches
// exceptions.
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <new>
#include <span>
#include <string_view>
#include <utility>

#include "runtime/abi_error.h"
#include "runtime/ort/environment.h"
#include "runtime/ort/session.h"
#include "runtime/session_calls.h"
#include "runtime/sized.h"

struct RidgeRuntime {
  std::unique_ptr<ridge::ort::Environment> environment;
};

struct RidgeSession {
  std::unique_ptr<ridge::ort::Session> session;
};

namespace ridge::ort {
namespace {

constexpr std::uint64_t kCapabilities = RIDGE_CAN_PROFILE | RIDGE_CAN_RUN_ASYNC | RIDGE_CAN_CANCEL |
                                        RIDGE_HAS_OPTIMISED_MODEL | RIDGE_HAS_FACTS |
                                        RIDGE_TAKES_WEIGHTS;

/// Runs `body`, a Result<void>(), and converts its result or exception to a status.
struct Answer {
  template <typename Body>
  RidgeStatus operator()(RidgeError* error, Body body) const noexcept {
    try {
      const Result<void> done = body();
      return done ? RIDGE_OK : runtime::fill_error(done.error(), kOutcomes, error);
    } catch (const std::bad_alloc&) {
      return runtime::fill_error(
          environment_error(kOutOfMemory, "the runtime plug-in ran out of memory"), kOutcomes,
          error);
    } catch (const std::exception& thrown) {
      return runtime::fill_error(bug(thrown.what(), "runtime plug-in 'ort'"), kOutcomes, error);
    }
  }
};
constexpr Answer kAnswer;

std::string text_or(const char* text, const char* otherwise) {
  return text != nullptr ? text : otherwise;
}

Result<void> read_entries(std::span<const RidgeEntry> entries, Settings& settings) {
  constexpr std::string_view kOwn = "ridge.";
  for (const RidgeEntry& entry : entries) {
    const std::string key = text_or(entry.key, ""), value = text_or(entry.value, "");
    if (!key.starts_with(kOwn)) {
      settings.entries.emplace_back(key, value);
    } else if (key == "ridge.observer" && (value == "on" || value == "off")) {
      settings.observe = value == "on";
    } else {
      return usage_error("RIDGE-ORT-0015", fmt::format("unknown option '{}={}'", key, value))
          .hint("options of ridge itself are: ridge.observer=on|off");
    }
  }
  return {};
}

Result<Settings> read_settings(const RidgeOpenOptions& options) {
  Settings settings;
  settings.library.path = text_or(options.library, "");
  for (std::uint32_t i = 0; i < options.folder_count; ++i) {
    settings.library.folders.emplace_back(options.folders[i]);
  }
  settings.threads = options.threads;
  settings.optimization = static_cast<RidgeOptimization>(options.optimization);
  settings.cpus.assign(options.cpus, options.cpus + options.cpu_count);
  settings.deterministic = options.deterministic != 0;
  settings.temporary = text_or(options.temporary, "/tmp");
  TRY(read_entries(std::span(options.entries, options.entry_count), settings));
  return settings;
}

/// Reads a whole open file; `storage` owns the bytes.
Result<std::string_view> read_all(int descriptor, std::string& storage) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) return bug("a model's descriptor is not open", "load");
  storage.resize(static_cast<std::size_t>(status.st_size));
  std::size_t done = 0;
  while (done < storage.size()) {
    const ssize_t n =
        ::pread(descriptor, storage.data() + done, storage.size() - done, static_cast<off_t>(done));
    if (n <= 0) return input_error("RIDGE-ORT-0026", "the model's file cannot be read to its end");
    done += static_cast<std::size_t>(n);
  }
  return std::string_view(storage);
}

Result<ModelSource> read_source(const RidgeModel& model, std::string& storage) {
  ModelSource source;
  source.path = text_or(model.path, "");
  source.weights = model.weights;
  source.dump = static_cast<RidgeDump>(model.dump);
  if (model.data != nullptr) {
    source.bytes = {static_cast<const char*>(model.data), model.bytes};
  } else if (model.path == nullptr) {
    source.bytes = TRY(read_all(model.descriptor, storage));
  }
  return source;
}

RidgeStatus open(const RidgeOpenOptions* options, RidgeRuntime** runtime, RidgeError* error) {
  return kAnswer(error, [&]() -> Result<void> {
    Settings settings = TRY(read_settings(runtime::received(*options)));
    auto environment = TRY(Environment::open(std::move(settings)));
    *runtime = new RidgeRuntime{std::move(environment)};
    return {};
  });
}

RidgeStatus info(RidgeRuntime* runtime, RidgeInfo* out, RidgeError*) {
  const Environment& environment = *runtime->environment;
  RidgeInfo info{};
  info.capabilities = kCapabilities;
  if (environment.settings().threads < 2) info.capabilities &= ~std::uint64_t{RIDGE_CAN_RUN_ASYNC};
  info.name = "ONNX Runtime";
  info.version = environment.library().version().c_str();
  info.library = environment.library().path().c_str();
  info.notes = environment.notes().c_str();
  runtime::give(info, out);
  return RIDGE_OK;
}

void close(RidgeRuntime* runtime) { delete runtime; }

RidgeStatus load(RidgeRuntime* runtime, const RidgeModel* model, RidgeSession** session,
                 RidgeError* error) {
  return kAnswer(error, [&]() -> Result<void> {
    std::string storage;
    const ModelSource source = TRY(read_source(runtime::received(*model), storage));
    auto loaded = TRY(Session::load(*runtime->environment, source));
    *session = new RidgeSession{std::move(loaded)};
    return {};
  });
}

RidgeStatus facts(RidgeSession* session, const RidgeFactSink* sink, RidgeError* error) {
  return kAnswer(error, [&] { return session->session->facts(runtime::received(*sink)); });
}

using Calls = runtime::SessionCalls<RidgeSession, Answer>;

constexpr RidgeRuntimeApi kApi = {sizeof(RidgeRuntimeApi),
                                  RIDGE_RUNTIME_ABI,
                                  "ort",
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
}  // namespace ridge::ort

extern "C" __attribute__((visibility("default"))) const RidgeRuntimeApi* ridge_runtime_get_api(
    uint32_t version) {
  return version == RIDGE_RUNTIME_ABI ? &ridge::ort::kApi : nullptr;
}
