#include "analysis/sizes/bound_sizes.h"

namespace ridge::analysis {

void write_bindings(JsonWriter& json, const BoundSizes& sizes) {
  json.begin_object();
  for (const auto& [size, binding] : sizes) {
    json.name(size).begin_object().key("value").value(binding.value);
    json.key("assumed").value(binding.assumed).end_object();
  }
  json.end_object();
}

}  // namespace ridge::analysis
