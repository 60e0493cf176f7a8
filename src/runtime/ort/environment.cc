// SPDX-License-Identifier: Apache-2.0
#include "runtime/ort/environment.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <span>
#include <string_view>
#include <system_error>

#include "base/temporary_folder.h"

namespace ridge::ort {
namespace {

GraphOptimizationLevel optimization_level(RidgeOptimization optimization) {
  switch (optimization) {
    case RIDGE_OPTIMIZE_NONE:
      return ORT_DISABLE_ALL;
    case RIDGE_OPTIMIZE_BASIC:
      return ORT_ENABLE_BASIC;
    case RIDGE_OPTIMIZE_EXTENDED:
      return ORT_ENABLE_EXTENDED;
    case RIDGE_OPTIMIZE_ALL:
      break;
  }
  return ORT_ENABLE_ALL;
}

/// Session configuration entry: sessions take memory from allocators of the environment.
constexpr std::string_view kSharedAllocators = "session.use_env_allocators";
/// Session configuration entry: processors of the threads of a session.
constexpr char kAffinities[] = "session.intra_op_thread_affinities";

/// Path of the observer, next to the plug-in.
std::string observer_path() {
  static const char here = 0;
  Dl_info info{};
  if (::dladdr(&here, &info) == 0 || info.dli_fname == nullptr) return "ridge_ort_observer.so";
  std::error_code failed;
  const auto self = std::filesystem::absolute(info.dli_fname, failed);
  return (self.parent_path() / "ridge_ort_observer.so").string();
}

Error no_observer(std::string why) {
  return environment_error("RIDGE-ORT-0011", "the observer cannot be used: " + std::move(why));
}

}  // namespace

Environment::Environment(Settings settings, std::unique_ptr<const Library> library)
    : settings_(std::move(settings)),
      library_(std::move(library)),
      env_(nullptr, library_->api().ReleaseEnv) {}

Result<std::unique_ptr<Environment>> Environment::open(Settings settings) {
  if (!settings.cpus.empty() && settings.cpus.size() != settings.threads) {
    return usage_error("RIDGE-ORT-0012", fmt::format("{} processors given for {} threads",
                                                     settings.cpus.size(), settings.threads))
        .hint("name one processor per thread");
  }
  if (settings.temporary.empty()) settings.temporary = TRY(temporary_root());
  auto library = TRY(Library::open(settings.library));
  std::unique_ptr<Environment> environment(
      new Environment(std::move(settings), std::move(library)));
  environment->env_ = TRY(environment->create_env());
  TRY(environment->library().check(
      environment->library().api().DisableTelemetryEvents(environment->env()), Phase::kSetUp));
  if (environment->shares_memory()) TRY(environment->register_allocator());
  if (!environment->settings_.observe) {
    environment->notes_ = "layer times come from ONNX Runtime's profile file, as asked for";
  } else if (Result<void> registered = environment->register_observer(); !registered) {
    environment->notes_ =
        "layer times come from ONNX Runtime's profile file: " + registered.error().summary();
  }
  return environment;
}

Result<Handle<OrtEnv>> Environment::create_env() const {
  const Library& l = *library_;
  const OrtApi& api = l.api();
  OrtEnv* env = nullptr;
  if (!settings_.share_threads) {
    TRY(l.check(api.CreateEnv(ORT_LOGGING_LEVEL_ERROR, "ridge", &env), Phase::kSetUp));
    return own(l, env);
  }
  OrtThreadingOptions* raw = nullptr;
  TRY(l.check(api.CreateThreadingOptions(&raw), Phase::kSetUp));
  const Handle<OrtThreadingOptions> threading = own(l, raw);
  const int threads = static_cast<int>(settings_.threads);
  TRY(l.check(api.SetGlobalIntraOpNumThreads(raw, threads), Phase::kSetUp));
  TRY(l.check(api.SetGlobalInterOpNumThreads(raw, settings_.inter_op_threads), Phase::kSetUp));
  if (settings_.cpus.size() > 1)
    TRY(l.check(api.SetGlobalIntraOpThreadAffinity(raw, affinities().c_str()), Phase::kSetUp));
  TRY(l.check(api.CreateEnvWithGlobalThreadPools(ORT_LOGGING_LEVEL_ERROR, "ridge", raw, &env),
              Phase::kSetUp));
  return own(l, env);
}

bool Environment::shares_memory() const {
  return std::ranges::any_of(settings_.entries, [](const auto& entry) {
    return entry.first == kSharedAllocators && entry.second == "1";
  });
}

Result<void> Environment::register_allocator() {
  const Library& l = *library_;
  OrtMemoryInfo* raw = nullptr;
  TRY(l.check(l.api().CreateCpuMemoryInfo(OrtArenaAllocator, OrtMemTypeDefault, &raw),
              Phase::kSetUp));
  const Handle<OrtMemoryInfo> memory = own(l, raw);
  return l.check(l.api().CreateAndRegisterAllocator(env_.get(), raw, nullptr), Phase::kSetUp);
}

Result<void> Environment::register_observer() {
  const std::string path = observer_path();
  void* handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return no_observer(::dlerror());
  set_sink_ = reinterpret_cast<SetSink>(::dlsym(handle, kSetSink));
  if (set_sink_ == nullptr) return no_observer(::dlerror());

  const OrtApi& api = library_->api();
  TRY(library_->check(api.RegisterExecutionProviderLibrary(env_.get(), kObserverName, path.c_str()),
                      Phase::kSetUp));
  const OrtEpDevice* const* devices = nullptr;
  std::size_t count = 0;
  TRY(library_->check(api.GetEpDevices(env_.get(), &devices, &count), Phase::kSetUp));
  for (const OrtEpDevice* device : std::span(devices, count)) {
    if (std::string_view(api.EpDevice_EpName(device)) == kObserverName) observer_ = device;
  }
  if (observer_ == nullptr) return no_observer("ONNX Runtime offers no device for it");
  return {};
}

void Environment::set_sink(const Sink* sink) const {
  if (set_sink_ != nullptr) set_sink_(sink);
}

void Environment::use_arena(std::vector<OrtValue*>* outputs) const {
  if (in_arena_ != nullptr && in_arena_ != outputs) {
    for (OrtValue* value : *in_arena_) library_->api().ReleaseValue(value);
    in_arena_->clear();
  }
  in_arena_ = outputs;
}

/// Affinity string; ONNX Runtime numbers processors from 1 and expects all threads except the
/// calling one.
std::string Environment::affinities() const {
  std::string text;
  for (const std::uint32_t cpu : std::span(settings_.cpus).subspan(1)) {
    text += fmt::format("{}{}", text.empty() ? "" : ";", cpu + 1);
  }
  return text;
}

Result<void> Environment::quiesce() {
  const bool pins = std::ranges::any_of(
      settings_.entries, [](const auto& entry) { return entry.first == kAffinities; });
  if (settings_.share_threads || pins)
    return usage_error("RIDGE-ORT-0042",
                       fmt::format("a process of ONNX Runtime with {} cannot be copied",
                                   pins ? std::string(kAffinities) : "ridge.thread_pool=shared"))
        .hint(pins ? "leave the option out; ridge pins threads to processors by itself"
                   : "leave the option out: its threads start with the runtime");
  std::vector<std::uint32_t> cpus;  // of all threads but the calling one
  if (settings_.cpus.size() > 1) cpus.assign(settings_.cpus.begin() + 1, settings_.cpus.end());
  held_ = std::make_unique<HeldThreads>(std::move(cpus));
  return {};
}

Result<void> Environment::resume() {
  if (held_ == nullptr) return bug("resume before quiesce", "ort");
  return held_->start();
}

Result<Handle<OrtSessionOptions>> Environment::session_options() const {
  const Library& l = *library_;
  const OrtApi& api = l.api();
  OrtSessionOptions* raw = nullptr;
  TRY(l.check(api.CreateSessionOptions(&raw), Phase::kSetUp));
  Handle<OrtSessionOptions> options = own(l, raw);
  if (settings_.share_threads) {
    TRY(l.check(api.DisablePerSessionThreads(raw), Phase::kSetUp));
  } else {
    TRY(l.check(api.SetIntraOpNumThreads(raw, static_cast<int>(settings_.threads)), Phase::kSetUp));
    TRY(l.check(api.SetInterOpNumThreads(raw, settings_.inter_op_threads), Phase::kSetUp));
  }
  const ExecutionMode mode = settings_.parallel ? ORT_PARALLEL : ORT_SEQUENTIAL;
  TRY(l.check(api.SetSessionExecutionMode(raw, mode), Phase::kSetUp));
  TRY(l.check(api.SetSessionGraphOptimizationLevel(raw, optimization_level(settings_.optimization)),
              Phase::kSetUp));
  TRY(l.check(api.SetDeterministicCompute(raw, settings_.deterministic), Phase::kSetUp));
  if (held_ != nullptr) {
    TRY(held_->provide(l, raw));
  } else if (settings_.cpus.size() > 1 && !settings_.share_threads) {
    TRY(l.check(api.AddSessionConfigEntry(raw, kAffinities, affinities().c_str()), Phase::kSetUp));
  }
  for (const auto& [key, value] : settings_.entries) {
    TRY_IN(fmt::format("option '{}'", key),
           l.check(api.AddSessionConfigEntry(raw, key.c_str(), value.c_str()), Phase::kSetUp));
  }
  if (observer_ != nullptr) {
    TRY(l.check(api.SessionOptionsAppendExecutionProvider_V2(raw, env_.get(), &observer_, 1,
                                                             nullptr, nullptr, 0),
                Phase::kSetUp));
  }
  return options;
}

Result<void> Environment::pin_caller() const {
  // Threads of the parallel executor would inherit the processor of the thread that creates them.
  if (settings_.cpus.empty() || settings_.parallel) return {};
  const std::uint32_t cpu = settings_.cpus.front();
  cpu_set_t set;
  CPU_ZERO(&set);
  if (cpu < CPU_SETSIZE) CPU_SET(cpu, &set);
  if (::sched_setaffinity(0, sizeof(set), &set) == 0) return {};
  return cannot_pin(cpu, errno);
}

}  // namespace ridge::ort
