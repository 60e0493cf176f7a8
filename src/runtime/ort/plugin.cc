// SPDX-License-Identifier: Apache-2.0
// The C interface (runtime/abi.h) over Environment and Session: translates arguments.
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "base/number.h"
#include "runtime/ort/environment.h"
#include "runtime/ort/prepared_model.h"
#include "runtime/ort/session.h"
#include "runtime/ort/worker.h"
#include "runtime/plugin_calls.h"

struct RidgeRuntime {
  std::unique_ptr<ridge::ort::Environment> environment;
  std::optional<ridge::ort::PreparedModel> prepared;  // the last one
};

struct RidgeSession {
  std::unique_ptr<ridge::ort::Session> session;
};

struct RidgeWorker {
  std::unique_ptr<ridge::ort::Worker> worker;
};

struct RidgePreparedInput {
  ridge::ort::PreparedInput prepared;
};

namespace ridge::ort {
namespace {

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
    } else if (key == "ridge.thread_pool" && (value == "own" || value == "shared")) {
      settings.share_threads = value == "shared";
    } else if (key == "ridge.execution" && (value == "sequential" || value == "parallel")) {
      settings.parallel = value == "parallel";
    } else if (const auto n = whole_number<std::uint16_t>(value);
               key == "ridge.inter_op_threads" && n && *n > 0) {
      settings.inter_op_threads = *n;
    } else {
      return usage_error("RIDGE-ORT-0015", fmt::format("unknown option '{}={}'", key, value))
          .hint(
              "options of ridge itself are: ridge.observer=on|off, ridge.thread_pool=own|shared, "
              "ridge.execution=sequential|parallel, ridge.inter_op_threads=N");
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
  settings.temporary = text_or(options.temporary, "");
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
  source.arena_reach = model.arena_reach;
  source.prepared = (model.flags & RIDGE_MODEL_PREPARED) != 0;
  source.unpacked = (model.flags & RIDGE_MODEL_UNPACKED) != 0;
  if (model.data != nullptr) {
    source.bytes = {static_cast<const char*>(model.data), model.bytes};
  } else if (model.path == nullptr) {
    source.bytes = TRY(read_all(model.descriptor, storage));
  }
  return source;
}

struct Plugin {
  static constexpr char kName[] = "ort";
  static constexpr std::uint64_t kCapabilities =
      RIDGE_CAN_PROFILE | RIDGE_CAN_RUN_ASYNC | RIDGE_CAN_CANCEL | RIDGE_HAS_OPTIMIZED_MODEL |
      RIDGE_HAS_FACTS | RIDGE_TAKES_WEIGHTS | RIDGE_HAS_WORKERS | RIDGE_HAS_HAND_OVER |
      RIDGE_SHARES_BUFFERS | RIDGE_CAN_PREPARE | RIDGE_CAN_FORK;
  static constexpr runtime::OutcomeCodes kOutcomes = ort::kOutcomes;

  static Result<std::unique_ptr<RidgeRuntime>> open(const RidgeOpenOptions& options) {
    Settings settings = TRY(read_settings(options));
    auto opened = std::make_unique<RidgeRuntime>();
    opened->environment = TRY(Environment::open(std::move(settings)));
    return opened;
  }

  static RidgeInfo info(const RidgeRuntime& runtime) {
    const Environment& environment = *runtime.environment;
    RidgeInfo info{};
    info.capabilities = kCapabilities;
    if (environment.settings().threads < 2)
      info.capabilities &= ~std::uint64_t{RIDGE_CAN_RUN_ASYNC};
    info.name = "ONNX Runtime";
    info.version = environment.library().version().c_str();
    info.library = environment.library().path().c_str();
    info.notes = environment.notes().c_str();
    return info;
  }

  static Result<std::unique_ptr<Session>> load(const RidgeRuntime& runtime,
                                               const RidgeModel& model) {
    std::string storage;
    const ModelSource source = TRY(read_source(model, storage));
    return Session::load(*runtime.environment, source);
  }

  static Result<RidgePrepared> prepare(RidgeRuntime& runtime, const RidgeModel& model) {
    std::string storage;
    const ModelSource source = TRY(read_source(model, storage));
    if (!source.path.empty()) return bug("a model to prepare comes as bytes", "prepare");
    runtime.prepared.reset();
    runtime.prepared.emplace(
        TRY(PreparedModel::make(*runtime.environment, source.bytes, source.weights)));
    return runtime.prepared->view();
  }
  static Result<void> quiesce(RidgeRuntime& runtime) { return runtime.environment->quiesce(); }
  static Result<void> resume(RidgeRuntime& runtime) { return runtime.environment->resume(); }

  static Error caught() { return runtime::caught_error(kOutcomes, "runtime plug-in 'ort'"); }
};

}  // namespace
}  // namespace ridge::ort

extern "C" __attribute__((visibility("default"))) const RidgeRuntimeApi* ridge_runtime_get_api(
    uint32_t version) {
  return ridge::runtime::PluginCalls<ridge::ort::Plugin>::table(version);
}
