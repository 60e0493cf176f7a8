#include "bricks/suite_times.h"

#include <algorithm>

namespace ridge::bricks {

std::int64_t resident_bytes(const analysis::Resolved& model) {
  const analysis::Totals& totals = model.totals();
  const auto value = [](const ops::Dim& dim, std::int64_t otherwise) {
    return dim.known() ? dim.value() : otherwise;
  };
  const std::int64_t present = totals.weight_bytes + value(totals.peak_activation_bytes, 0);
  const std::int64_t traffic =
      value(totals.bytes_read, present) + value(totals.bytes_written, present);
  return std::min(present, traffic);
}

SuiteTimes::SuiteTimes(std::span<const profile::SuiteProcess> processes, const measure::Host& host,
                       std::int64_t cache_bytes)
    : cold_(processes, host, /*warm=*/false),
      warm_(processes, host, /*warm=*/true),
      cache_bytes_(cache_bytes) {}

}  // namespace ridge::bricks
