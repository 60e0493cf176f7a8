// SPDX-License-Identifier: Apache-2.0
#include "runtime/child/mixed_load.h"

#include <utility>

namespace ridge::runtime {
namespace {

class MixedWorker final : public WorkerTarget {
 public:
  /// The worker's callers of each model, and how many samples that has.
  using Models = std::vector<std::pair<std::uint32_t, std::unique_ptr<WorkerTarget>>>;

  explicit MixedWorker(Models models) : models_(std::move(models)) {}

  Result<void> run(std::uint32_t prepared) override {
    for (const auto& [samples, worker] : models_) {
      if (prepared < samples) return worker->run(prepared);
      prepared -= samples;
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
  for (const ChildLoad* model : models_) out.push_back(model->prepared_inputs());
  return out;
}

Result<std::unique_ptr<WorkerTarget>> MixedLoad::open_worker() {
  if (models_.size() == 1) return models_[0]->open_worker();
  MixedWorker::Models models;
  for (ChildLoad* model : models_) {
    std::unique_ptr<WorkerTarget> worker = TRY(model->open_worker());
    models.emplace_back(model->prepared_inputs(), std::move(worker));
  }
  return std::unique_ptr<WorkerTarget>(std::make_unique<MixedWorker>(std::move(models)));
}

}  // namespace ridge::runtime
