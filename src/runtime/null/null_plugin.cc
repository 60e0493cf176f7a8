// SPDX-License-Identifier: Apache-2.0
// A runtime that computes nothing (behavior.h): runs take the time that its options say. What a
// measurement with it shows is the cost of measuring. A model's first input is its output.
#include <time.h>

#include <atomic>
#include <csignal>
#include <memory>
#include <optional>
#include <vector>

#include "base/clock.h"
#include "runtime/null/behavior.h"
#include "runtime/null/prepared_model.h"
#include "runtime/plugin_calls.h"

namespace ridge::null {
namespace {

constexpr runtime::OutcomeCodes kOutcomes{"RIDGE-NULL-0002", "RIDGE-NULL-0003"};

void wait_until(Nanos due_ns, Behavior::Wait how) {
  if (how == Behavior::Wait::kSleep) {
    const timespec time{due_ns.count / 1'000'000'000, due_ns.count % 1'000'000'000};
    ::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nullptr);
  }
  while (steady_clock().now() < due_ns) {
  }
}

void crash() {
  std::signal(SIGSEGV, SIG_DFL);  // a sanitizer would report it at length
  std::raise(SIGSEGV);
}

/// Inputs, of which the first is the output.
struct PreparedInput {
  RidgeTensor first{};
  std::int64_t samples = 1;  ///< its rows
};

/// State that the workers of a session share.
struct Shared {
  Behavior behavior;
  Nanos opened;
  std::atomic<bool> canceled = false;
  std::atomic<std::uint64_t> workers = 0;
};

class Worker {
 public:
  explicit Worker(Shared& shared)
      : shared_(shared), service_(shared.behavior, shared.workers.fetch_add(1)) {}

  Result<void> run(const PreparedInput& prepared) {
    output_ = prepared.first;
    output_.name = "output";
    ++runs_;
    const Behavior& b = shared_.behavior;
    if (b.crash_after > 0 && runs_ > b.crash_after) crash();
    if (b.fail_every > 0 && runs_ % b.fail_every == 0)
      return input_error("RIDGE-NULL-0004", "the run failed, as its options ask");
    if (shared_.canceled.load(std::memory_order_relaxed))
      return environment_error(kOutcomes.canceled, "the run was canceled");
    if (b.mean_ns <= 0 && b.per_sample_ns <= 0 && b.period_ns <= 0) return {};
    const Nanos begin = service_.begin(steady_clock().now(), shared_.opened);
    wait_until(begin + service_.next(prepared.samples), b.wait);
    return {};
  }
  Result<RidgeTensors> outputs() { return RidgeTensors{&output_, 1, sizeof(output_)}; }
  /// There is nothing to hand over: it has only one output, and no memory of its own.
  static Result<std::uint64_t> take(const Worker&, const std::vector<RidgePair>&) { return 0; }
  static Result<RidgeTensors> inputs() { return RidgeTensors{}; }

 private:
  Shared& shared_;
  ServiceTime service_;
  std::uint64_t runs_ = 0;
  RidgeTensor output_{};
};

class Session {
 public:
  Session(const Behavior& behavior, Nanos opened) : shared_{behavior, opened}, own_(shared_) {}

  static RidgeGraph graph() {
    RidgeGraph graph{};
    graph.size = sizeof(graph);
    return graph;
  }
  static Result<PreparedInput> prepare_input(const RidgeTensors& inputs) {
    if (inputs.count == 0) return PreparedInput{};
    const RidgeTensor first = runtime::row(inputs.items, inputs.stride, 0);
    return PreparedInput{first, first.rank > 0 ? first.dims[0] : 1};
  }
  Result<std::unique_ptr<Worker>> open_worker() { return std::make_unique<Worker>(shared_); }
  Result<void> set_inputs(const RidgeTensors& inputs) {
    inputs_ = TRY(prepare_input(inputs));
    return {};
  }
  Result<void> run() { return own_.run(inputs_); }
  static Result<void> run_async(RidgeDone, void*) {
    return usage_error("RIDGE-NULL-0005", "the null runtime has no asynchronous runs");
  }
  Result<RidgeTensors> outputs() { return own_.outputs(); }
  static Result<void> profile(const RidgeProfileSink*) { return {}; }
  static Result<void> facts(const RidgeFactSink&) {
    return usage_error("RIDGE-NULL-0006", "the null runtime has no kernels");
  }
  void cancel() { shared_.canceled.store(true, std::memory_order_relaxed); }

 private:
  Shared shared_;
  Worker own_;
  PreparedInput inputs_;
};

}  // namespace
}  // namespace ridge::null

struct RidgeRuntime {
  ridge::null::Behavior behavior;
  ridge::Nanos opened;
  std::optional<ridge::null::PreparedModel> prepared;  // the last one
};

struct RidgeSession {
  std::unique_ptr<ridge::null::Session> session;
};

struct RidgeWorker {
  std::unique_ptr<ridge::null::Worker> worker;
};

struct RidgePreparedInput {
  ridge::null::PreparedInput prepared;
};

namespace ridge::null {
namespace {

struct Plugin {
  static constexpr char kName[] = "null";
  static constexpr std::uint64_t kCapabilities = RIDGE_CAN_CANCEL | RIDGE_HAS_WORKERS |
                                                 RIDGE_HAS_HAND_OVER | RIDGE_CAN_PREPARE |
                                                 RIDGE_CAN_FORK;
  static constexpr runtime::OutcomeCodes kOutcomes = null::kOutcomes;

  static Result<std::unique_ptr<RidgeRuntime>> open(const RidgeOpenOptions& options) {
    auto opened = std::make_unique<RidgeRuntime>();
    for (std::uint64_t i = 0; i < options.entry_count; ++i)
      TRY(opened->behavior.set(options.entries[i].key, options.entries[i].value));
    opened->opened = steady_clock().now();
    return opened;
  }
  static RidgeInfo info(const RidgeRuntime&) {
    RidgeInfo info{};
    info.capabilities = kCapabilities;
    info.name = "null";
    info.version = "1";
    info.library = "";
    info.notes = "the null runtime computes nothing: its runs take the time that its options say";
    return info;
  }
  static Result<std::unique_ptr<Session>> load(const RidgeRuntime& runtime, const RidgeModel&) {
    return std::make_unique<Session>(runtime.behavior, runtime.opened);
  }
  static Result<RidgePrepared> prepare(RidgeRuntime& runtime, const RidgeModel& model) {
    runtime.prepared.reset();
    runtime.prepared.emplace(TRY(PreparedModel::make(model)));
    return runtime.prepared->view();
  }
  /// It has no threads.
  static Result<void> quiesce(const RidgeRuntime&) { return {}; }
  static Result<void> resume(const RidgeRuntime&) { return {}; }

  static Error caught() { return runtime::caught_error(kOutcomes, "runtime plug-in 'null'"); }
};

}  // namespace
}  // namespace ridge::null

extern "C" __attribute__((visibility("default"))) const RidgeRuntimeApi* ridge_runtime_get_api(
    uint32_t version) {
  return ridge::runtime::PluginCalls<ridge::null::Plugin>::table(version);
}
