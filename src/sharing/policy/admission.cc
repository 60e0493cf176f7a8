// SPDX-License-Identifier: Apache-2.0
#include "sharing/policy/admission.h"

#include <limits>

namespace ridge::sharing {

double rho_ns(Bytes bytes, std::uint64_t objects, const SharingCosts& costs) {
  if (!(costs.bytes_per_s > 0)) return std::numeric_limits<double>::infinity();
  const double read_ns = static_cast<double>(bytes.count) / costs.bytes_per_s * 1e9;
  const auto handing_over = static_cast<double>(costs.export_cost.count + costs.open_cost.count);
  return read_ns - static_cast<double>(objects) * handing_over;
}

}  // namespace ridge::sharing
