#include "analysis/sizes/describe.h"

#include "record/json_write.h"

namespace ridge::analysis {

void write_bindings(JsonWriter& json, const BoundSizes& sizes) { record::write_json(json, sizes); }

}  // namespace ridge::analysis
