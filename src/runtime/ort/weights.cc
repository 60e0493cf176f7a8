// SPDX-License-Identifier: Apache-2.0
#include "runtime/ort/weights.h"

#include <fmt/format.h>

#include "runtime/ort/values.h"
#include "runtime/sized.h"

namespace ridge::ort {
namespace {

Result<Handle<OrtValue>> value_of(const Library& library, const OrtMemoryInfo* memory,
                                  const RidgeTensor& weight) {
  Handle<OrtValue> value = TRY_IN(fmt::format("tensor '{}'", weight.name),
                                  wrap_tensor(library, memory, weight, Phase::kLoad));
  return value;
}

}  // namespace

Result<Values> add_copied_weights(const Library& library, const OrtMemoryInfo* memory,
                                  OrtSessionOptions* options, const RidgeTensors& weights) {
  Values held;
  std::vector<const char*> names;
  std::vector<const OrtValue*> values;
  for (std::uint64_t i = 0; i < weights.count; ++i) {
    const RidgeTensor weight = runtime::row(weights.items, weights.stride, i);
    held.push_back(TRY(value_of(library, memory, weight)));
    names.push_back(weight.name);
    values.push_back(held.back().get());
  }
  if (!names.empty()) {
    TRY(library.check(
        library.api().AddExternalInitializers(options, names.data(), values.data(), names.size()),
        Phase::kLoad));
  }
  return held;
}

Result<Values> add_weights_in_place(const Library& library, const OrtMemoryInfo* memory,
                                    OrtSessionOptions* options, const RidgeTensors& weights) {
  Values held;
  for (std::uint64_t i = 0; i < weights.count; ++i) {
    const RidgeTensor weight = runtime::row(weights.items, weights.stride, i);
    held.push_back(TRY(value_of(library, memory, weight)));
    TRY(library.check(library.api().AddInitializer(options, weight.name, held.back().get()),
                      Phase::kLoad));
  }
  return held;
}

}  // namespace ridge::ort
