// SPDX-License-Identifier: Apache-2.0
#include "roofline/point_roof.h"

namespace ridge::roofline {

std::optional<double> compute_roof(const profile::ModelPoint& point, const Roofs& roofs) {
  double operations = 0, seconds = 0;
  for (const profile::TypedWork& type : point.by_type) {
    auto roof = roofs.flop_per_s(type.dtype);
    if (!roof && (type.macs == 0 || type.dtype.empty())) roof = roofs.flop_per_s("float32");
    if (!roof) return std::nullopt;
    operations += type.operations;
    seconds += type.operations / *roof;
  }
  if (seconds > 0) return operations / seconds;
  return roofs.flop_per_s("float32");
}

std::string_view main_type(const profile::ModelPoint& point) {
  for (const profile::TypedWork& type : point.by_type)
    if (!type.dtype.empty()) return type.dtype;
  return "float32";
}

}  // namespace ridge::roofline
