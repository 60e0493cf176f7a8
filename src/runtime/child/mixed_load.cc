#include "runtime/child/mixed_load.h"

#include <utility>

namespace ridge::runtime {
namespace {

class MixedLane final : public LaneTarget {
 public:
  /// The lane's callers of each model, and how many samples that has.
  using Models = std::vector<std::pair<std::uint32_t, std::unique_ptr<LaneTarget>>>;

  explicit MixedLane(Models models) : models_(std::move(models)) {}

  Result<void> run(std::uint32_t feed) override {
    for (const auto& [samples, lane] : models_) {
      if (feed < samples) return lane->run(feed);
      feed -= samples;
    }
    return bug("a sample of no model", "MixedLoad");
  }
  Result<void> keep(std::uint64_t) override {
    return bug("outputs are kept of one model", "MixedLoad");
  }

 private:
  Models models_;
};

}  // namespace

std::vector<std::uint32_t> MixedLoad::samples() const {
  std::vector<std::uint32_t> out;
  for (const ChildLoad* model : models_) out.push_back(model->feeds());
  return out;
}

Result<std::unique_ptr<LaneTarget>> MixedLoad::open_lane() {
  if (models_.size() == 1) return models_[0]->open_lane();
  MixedLane::Models models;
  for (ChildLoad* model : models_) {
    std::unique_ptr<LaneTarget> lane = TRY(model->open_lane());
    models.emplace_back(model->feeds(), std::move(lane));
  }
  return std::unique_ptr<LaneTarget>(std::make_unique<MixedLane>(std::move(models)));
}

}  // namespace ridge::runtime
