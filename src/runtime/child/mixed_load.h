// SPDX-License-Identifier: Apache-2.0
// Several models in one runtime as the target of a load: each worker calls all of them, by the
// number of a sample, of which the first model's come first.
//
//   MixedLoad target({&first, &second});
//   Generator generator(scenario, target, target.samples(), log, clock);
//
// Ownership: borrows the models' loads. Thread rule: as generator.h.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "runtime/child/load_target.h"

namespace ridge::runtime {

class MixedLoad final : public LoadTarget {
 public:
  /// One or several.
  explicit MixedLoad(std::vector<ChildLoad*> models) : models_(std::move(models)) {}

  /// How many each model has.
  std::vector<std::uint32_t> samples() const;
  Result<std::unique_ptr<WorkerTarget>> open_worker() override;
  bool canceled() const override { return models_[0]->canceled(); }

 private:
  std::vector<ChildLoad*> models_;
};

}  // namespace ridge::runtime
