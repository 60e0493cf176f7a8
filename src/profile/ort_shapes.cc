// SPDX-License-Identifier: Apache-2.0
#include "profile/ort_shapes.h"

#include "base/json_scan.h"
#include "base/number.h"

namespace ridge::profile {

std::vector<OrtTensor> ort_tensors(std::string_view shapes) {
  std::vector<OrtTensor> out;
  JsonScan scan(shapes);
  if (!scan.open('[')) return out;
  for (;;) {
    scan.skip_commas();
    if (!scan.open('{')) return out;
    const auto type = scan.key();
    if (!type || !scan.open('[')) return out;
    OrtTensor tensor{.type = *type, .dims = {}};
    for (scan.skip_commas(); !scan.take(']'); scan.skip_commas()) {
      const JsonValue dim = scan.value();
      if (dim.kind == JsonValue::Kind::kNone) return out;
      tensor.dims.push_back(whole_number<std::int64_t>(dim.text).value_or(-1));
    }
    out.push_back(std::move(tensor));
    if (!scan.take('}')) return out;
  }
}

}  // namespace ridge::profile
