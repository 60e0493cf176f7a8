#include "runtime/child/load_target.h"

#include <optional>
#include <utility>

#include "runtime/child/plugin.h"

namespace ridge::runtime {
namespace {

/// A lane with the calls that both kinds have in common.
class RunningLane : public LaneTarget {
 public:
  explicit RunningLane(OutputKeeper& keeper) : keeper_(keeper) {}
  virtual Result<RidgeTensors> outputs() = 0;
  Result<void> keep(std::uint64_t run) override { return keeper_.add(run, TRY(outputs())); }

  Result<void> open_batches(const BatchLane::Calls& calls, const std::vector<BatchSession>& of,
                            const SampleRows& samples) {
    for (const BatchSession& session : of)
      batches_.push_back(TRY(BatchLane::open(calls, session, samples)));
    return {};
  }
  Result<void> run_batch(std::span<const std::uint32_t> feeds, std::uint32_t size) final {
    if (size == 1) return run(feeds[0]);
    for (const auto& batch : batches_)
      if (batch->size() == size) return batch->run(feeds);
    return bug("no session for batches of that size", "ChildLoad");
  }

 private:
  OutputKeeper& keeper_;
  std::vector<std::unique_ptr<BatchLane>> batches_;
};

class PluginLane final : public RunningLane {
 public:
  PluginLane(const RidgeRuntimeApi& api, const std::vector<RidgeFeed*>& feeds, OutputKeeper& keeper)
      : RunningLane(keeper), api_(api), feeds_(feeds) {}
  ~PluginLane() override {
    if (lane_ != nullptr) api_.close_lane(lane_);
  }
  PluginLane(const PluginLane&) = delete;
  PluginLane& operator=(const PluginLane&) = delete;

  Result<void> open(RidgeSession* session) {
    return check(api_.open_lane(session, &lane_, &error_), error_);
  }
  Result<void> run(std::uint32_t feed) override {
    const RidgeStatus status = api_.run_lane(lane_, feeds_[feed], &error_);
    if (status == RIDGE_OK) return {};
    return check(status, error_);
  }
  Result<RidgeTensors> outputs() override {
    RidgeTensors out{};
    TRY(check(api_.lane_outputs(lane_, &out, &error_), error_));
    return out;
  }

 private:
  const RidgeRuntimeApi& api_;
  const std::vector<RidgeFeed*>& feeds_;
  RidgeLane* lane_ = nullptr;
  RidgeError error_ = no_error();
};

/// The session itself.
class SessionLane final : public RunningLane {
 public:
  /// `taken` is true while this exists.
  SessionLane(const ChildLoad::Of& of, const std::vector<std::vector<InputTensor>>& inputs,
              std::span<const std::byte> memory, bool& taken, OutputKeeper& keeper)
      : RunningLane(keeper), of_(of), inputs_(inputs), memory_(memory), taken_(taken) {
    taken_ = true;
  }
  ~SessionLane() override { taken_ = false; }
  SessionLane(const SessionLane&) = delete;
  SessionLane& operator=(const SessionLane&) = delete;

  Result<void> run(std::uint32_t feed) override {
    if (given_ != feed) {
      rows_.emplace(memory_);
      const RidgeTensors view = TRY(rows_->of(inputs_[feed]));
      TRY(check(of_.api->set_inputs(of_.session, &view, &error_), error_));
      given_ = feed;
    }
    return check(of_.api->run(of_.session, &error_), error_);
  }
  Result<RidgeTensors> outputs() override {
    RidgeTensors out{};
    TRY(check(of_.api->outputs(of_.session, &out, &error_), error_));
    return out;
  }

 private:
  ChildLoad::Of of_;
  const std::vector<std::vector<InputTensor>>& inputs_;
  std::span<const std::byte> memory_;
  bool& taken_;
  std::optional<InputRows> rows_;
  std::optional<std::uint32_t> given_;
  RidgeError error_ = no_error();
};

}  // namespace

Result<void> OutputKeeper::add(std::uint64_t run, const RidgeTensors& outputs) {
  const std::scoped_lock lock(mutex_);
  kept_.push_back({run, copy_.add(outputs)});
  if (kept_.back().outputs.bytes <= kMostKeptBytes) return {};
  return environment_error("RIDGE-RT-0051", "the outputs to be kept take more than 1 GiB")
      .hint("keep those of fewer samples: accuracy_log_sampling_target in --user-conf");
}

Result<ipc::SharedMemory> OutputKeeper::take(std::vector<KeptReply>& kept) {
  const std::scoped_lock lock(mutex_);
  kept = std::exchange(kept_, {});
  return std::exchange(copy_, {}).memory();
}

Result<std::unique_ptr<ChildLoad>> ChildLoad::make(const Of& of,
                                                   std::vector<std::vector<InputTensor>> feeds,
                                                   ipc::Mapping memory) {
  std::unique_ptr<ChildLoad> out(new ChildLoad(of, std::move(feeds), std::move(memory)));
  if (!of.lanes) return out;
  for (const std::vector<InputTensor>& inputs : out->inputs_) {
    InputRows rows(out->memory_.bytes());
    const RidgeTensors view = TRY(rows.of(inputs));
    RidgeError error = no_error();
    RidgeFeed* feed = nullptr;
    TRY(check(of.api->make_feed(of.session, &view, &feed, &error), error));
    out->feeds_.push_back(feed);
  }
  return out;
}

ChildLoad::~ChildLoad() {
  for (RidgeFeed* feed : feeds_) of_.api->drop_feed(feed);
}

Result<std::unique_ptr<LaneTarget>> ChildLoad::open_lane() {
  const BatchLane::Calls calls{of_.api, of_.lanes};
  const SampleRows rows{inputs_, memory_.bytes()};
  if (of_.lanes) {
    auto lane = std::make_unique<PluginLane>(*of_.api, feeds_, keeper_);
    TRY(lane->open(of_.session));
    TRY(lane->open_batches(calls, batches_, rows));
    return std::unique_ptr<LaneTarget>(std::move(lane));
  }
  if (has_lane_)
    return environment_error("RIDGE-RT-0050", "this runtime runs one query at a time")
        .hint("its plug-in has no lanes (runtime/abi.h); use --lanes 1");
  auto lane = std::make_unique<SessionLane>(of_, inputs_, memory_.bytes(), has_lane_, keeper_);
  TRY(lane->open_batches(calls, batches_, rows));
  return std::unique_ptr<LaneTarget>(std::move(lane));
}

Result<ipc::SharedMemory> ChildLoad::outputs_of(std::uint32_t first, std::uint32_t count,
                                                std::vector<OutputsReply>& replies) {
  if (first > feeds() || count > feeds() - first) return bug("samples that are not there", "child");
  const std::unique_ptr<LaneTarget> opened = TRY(open_lane());
  auto& lane = static_cast<RunningLane&>(*opened);
  OutputCopy copy;
  for (std::uint32_t i = first; i < first + count; ++i) {
    TRY(lane.run(i));
    replies.push_back(copy.add(TRY(lane.outputs())));
  }
  return copy.memory();
}

}  // namespace ridge::runtime
