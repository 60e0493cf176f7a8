// SPDX-License-Identifier: Apache-2.0
// Session runs: plain, profiled, asynchronous.
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <system_error>
#include <utility>

#include "base/clock.h"
#include "base/file.h"
#include "runtime/ort/session.h"
#include "runtime/sized.h"

namespace ridge::ort {
namespace {

constexpr std::int64_t kTraceLimit = std::int64_t{1} << 30;

/// A block of memory from an arena; of none if there is no arena.
class Block {
 public:
  Block(OrtAllocator* arena, std::size_t bytes)
      : arena_(arena),
        bytes_(bytes),
        memory_(arena == nullptr ? nullptr : arena->Alloc(arena, bytes)) {}
  /// Makes its pages resident, which takes longer than a kernel that would be the first there.
  void touch() {
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    auto* bytes = static_cast<volatile char*>(memory_);
    for (std::size_t at = 0; memory_ != nullptr && at < bytes_; at += page) bytes[at] = 0;
  }
  ~Block() {
    if (memory_ != nullptr) arena_->Free(arena_, memory_);
  }
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

 private:
  OrtAllocator* arena_;
  std::size_t bytes_;
  void* memory_;
};

/// Closest event level: node events are layers, session events enclose them.
std::uint32_t event_level(bool node) { return node ? RIDGE_LEVEL_LAYER : RIDGE_LEVEL_RUN; }

}  // namespace

Result<Handle<OrtRunOptions>> Session::run_options(const std::string& profile_prefix) const {
  const OrtApi& api = library_.api();
  OrtRunOptions* raw = nullptr;
  TRY(library_.check(api.CreateRunOptions(&raw), Phase::kSetUp));
  Handle<OrtRunOptions> options = own(library_, raw);
  if (!profile_prefix.empty()) {
    TRY(library_.check(api.RunOptionsEnableProfiling(raw, profile_prefix.c_str()), Phase::kSetUp));
  }
  return options;
}

Result<void> Session::run_with(const OrtRunOptions* options) {
  const OrtApi& api = library_.api();
  if (arena_ != nullptr) environment_.use_arena(&results_);
  release_outputs();
  results_.assign(wanted_.size(), nullptr);
  if (canceled_.load(std::memory_order_relaxed)) {
    return environment_error(kCanceled, "the run was canceled");
  }
  std::uint64_t offset = 0;
  if (arena_ != nullptr) {
    if (!std::exchange(touched_, true)) Block(arena_.get(), 2 * arena_reach_).touch();
    offset = std::uniform_int_distribution<std::uint64_t>(1, arena_reach_)(random_);
  }
  // Activations follow the block, so they lie elsewhere in every run.
  const Block before(arena_.get(), offset);
  Result<void> done = library_.check(
      api.Run(session_.get(), options, inputs_.names.data(), inputs_.values.data(),
              inputs_.values.size(), wanted_.data(), wanted_.size(), results_.data()),
      Phase::kRun);
  if (!done && canceled_.load(std::memory_order_relaxed)) {
    return environment_error(kCanceled, "the run was canceled");
  }
  return done;
}

Result<void> Session::run() {
  if (sink_.event == nullptr) return run_with(plain_.get());
  if (environment_.observer() != nullptr) return run_with(profiled_.get());
  // Files are named by the millisecond, so each run needs a distinct prefix.
  TRY(deliver_traces());
  TRY(library_.check(
      library_.api().RunOptionsEnableProfiling(profiled_.get(), file("profile").c_str()),
      Phase::kSetUp));
  profile_base_ns_ = steady_clock().now().count;
  return run_with(profiled_.get());
}

Result<RidgeTensors> Session::outputs() {
  output_list_.clear();
  for (std::size_t i = 0; i < results_.size(); ++i) {
    if (results_[i] == nullptr) continue;  // an optional output that does not exist
    TRY(output_list_.add_value(library_, output_names_[i], results_[i]));
  }
  return output_list_.view();
}

void Session::on_done(void* self, OrtValue**, std::size_t, OrtStatus* status) {
  auto& session = *static_cast<Session*>(self);
  const Result<void> done = session.library_.check(status, Phase::kRun);
  const RidgeDone callback = std::exchange(session.done_, nullptr);
  if (done) return callback(session.done_context_, RIDGE_OK, nullptr);
  RidgeError error{};
  error.size = sizeof(error);
  callback(session.done_context_, runtime::fill_error(done.error(), kOutcomes, &error), &error);
}

Result<void> Session::run_async(RidgeDone done, void* context) {
  if (environment_.settings().threads < 2) {
    return usage_error("RIDGE-ORT-0025", "asynchronous runs need at least two threads")
        .hint("ONNX Runtime runs them on a thread of its own: --threads 2");
  }
  const OrtApi& api = library_.api();
  release_outputs();
  results_.assign(wanted_.size(), nullptr);
  done_ = done;
  done_context_ = context;
  return library_.check(api.RunAsync(session_.get(), plain_.get(), inputs_.names.data(),
                                     inputs_.values.data(), inputs_.values.size(), wanted_.data(),
                                     wanted_.size(), results_.data(), on_done, this),
                        Phase::kRun);
}

Result<void> Session::profile(const RidgeProfileSink* sink) {
  if (sink == nullptr) {
    if (environment_.observer() == nullptr) TRY(deliver_traces());
    environment_.set_sink(nullptr);
    sink_ = {};
    return {};
  }
  sink_ = runtime::received(*sink);
  const Sink observations{this, nullptr, on_event};
  environment_.set_sink(&observations);
  return {};
}

void Session::on_event(void* self, const Observation& seen) {
  auto& session = *static_cast<Session*>(self);
  std::unique_lock one_at_a_time(session.events_, std::defer_lock);
  if (session.environment_.settings().parallel) one_at_a_time.lock();
  const bool node = seen.category == OrtProfilingEventCategory_NODE;
  const std::string name(kernel_name(seen.name));
  RidgeEvent event{};
  event.size = sizeof(event);
  event.level = event_level(node);
  event.queue = seen.thread;
  event.correlation = seen.correlation;
  event.name = name.c_str();
  event.type = seen.op_type;
  event.implementation = seen.provider;
  event.shapes = seen.shapes;
  event.start_ns = seen.start_ns;
  event.stop_ns = seen.stop_ns;
  event.duration_ns = seen.duration_us * 1000;
  event.depth = seen.depth;
  session.sink_.event(session.sink_.context, &event);
}

/// Reads the events of the profile files whose names begin with `prefix`, and deletes the files.
Result<std::vector<TraceEvent>> Session::take_traces(const std::string& prefix) const {
  std::vector<TraceEvent> events;
  std::error_code failed;
  std::vector<std::string> paths;
  for (const auto& entry :
       std::filesystem::directory_iterator(environment_.settings().temporary, failed)) {
    if (entry.path().string().starts_with(prefix)) paths.push_back(entry.path().string());
  }
  for (const std::string& path : paths) {
    const std::string text = TRY(read_file(path, kTraceLimit));
    ::unlink(path.c_str());
    std::vector<TraceEvent> found = TRY(parse_trace(text));
    events.insert(events.end(), std::make_move_iterator(found.begin()),
                  std::make_move_iterator(found.end()));
  }
  return events;
}

Result<void> Session::deliver_traces() {
  for (const TraceEvent& seen : TRY(take_traces(file("profile")))) {
    const std::string name(kernel_name(seen.name));
    RidgeEvent event{};
    event.size = sizeof(event);
    event.level = event_level(seen.node);
    event.queue = seen.thread;
    event.name = name.c_str();
    event.type = seen.op_type.c_str();
    event.implementation = seen.provider.c_str();
    event.shapes = seen.output_shapes.c_str();
    event.start_ns = profile_base_ns_ + seen.start_us * 1000;
    event.stop_ns = event.start_ns + seen.duration_us * 1000;
    event.duration_ns = seen.duration_us * 1000;
    event.depth = seen.depth;
    sink_.event(sink_.context, &event);
  }
  return {};
}

Result<void> Session::facts(const RidgeFactSink& sink) {
  const std::string prefix = file("facts");
  const Handle<OrtRunOptions> options = TRY(run_options(prefix));
  TRY(run_with(options.get()));
  for (const TraceEvent& seen : TRY(take_traces(prefix))) {
    if (!seen.node) continue;
    const std::string name(kernel_name(seen.name));
    RidgeFact fact{};
    fact.size = sizeof(fact);
    fact.name = name.c_str();
    fact.type = seen.op_type.c_str();
    fact.implementation = seen.provider.c_str();
    fact.input_shapes = seen.input_shapes.c_str();
    fact.output_shapes = seen.output_shapes.c_str();
    fact.activation_bytes = seen.activation_bytes;
    fact.parameter_bytes = seen.parameter_bytes;
    fact.output_bytes = seen.output_bytes;
    sink.fact(sink.context, &fact);
  }
  return {};
}

void Session::cancel() {
  canceled_.store(true, std::memory_order_relaxed);
  library_.drop(library_.api().RunOptionsSetTerminate(plain_.get()));
  library_.drop(library_.api().RunOptionsSetTerminate(profiled_.get()));
}

}  // namespace ridge::ort
