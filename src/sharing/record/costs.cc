// SPDX-License-Identifier: Apache-2.0
#include "sharing/record/costs.h"

#include <utility>

namespace ridge::sharing {

CostTable example_costs() {
  const auto model = [](std::string name, double mega_bytes, double own_ms, double prepared_ms,
                        double lease_ms, double run_ms) {
    const auto nanos = [](double ms) { return Nanos{static_cast<std::int64_t>(ms * 1e6)}; };
    return ModelCosts{.name = std::move(name),
                      .bytes = Bytes{static_cast<std::int64_t>(mega_bytes * 1e6)},
                      .own_load = nanos(own_ms),
                      .prepared_load = nanos(prepared_ms),
                      .lease = nanos(lease_ms),
                      .run = nanos(run_ms)};
  };
  CostTable out;
  out.ask = Nanos{200'000};
  out.models = {model("resnet50", 102, 383, 34, 3.3, 119), model("vgg16", 553, 2160, 27, 12, 464),
                model("bert_base", 435, 1150, 101, 13, 392), model("gpt2", 498, 1285, 63, 1.5, 523),
                model("swin_t", 113, 351, 85, 0.6, 174)};
  return out;
}

Result<void> check(const CostTable& costs) {
  if (!costs.models.empty()) return {};
  return input_error("RIDGE-SHARE-0203", "the file has no model")
      .hint("add a [[model]] with name, bytes, own_load_ns and prepared_load_ns");
}

}  // namespace ridge::sharing
