// SPDX-License-Identifier: Apache-2.0
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

std::int64_t traffic_bytes(const analysis::Resolved& model) {
  const analysis::Totals& totals = model.totals();
  if (!totals.bytes_read.known() || !totals.bytes_written.known()) return 0;
  return totals.bytes_read.value() + totals.bytes_written.value();
}

std::int64_t reuse_of(std::int64_t resident_bytes, std::int64_t cache_bytes) {
  const auto resident = static_cast<double>(resident_bytes);
  if (cache_bytes == 0 || resident > kMaxCaches * static_cast<double>(cache_bytes)) return 0;
  std::int64_t reuse = kMinReuse;
  // Between two distances, their geometric mean divides.
  while (resident * resident > 2 * static_cast<double>(reuse) * static_cast<double>(reuse))
    reuse *= 2;
  // On the side of the cache's size on which the model is: there times change most.
  if (resident_bytes <= cache_bytes && reuse > cache_bytes && reuse > kMinReuse) reuse /= 2;
  if (resident_bytes > cache_bytes && reuse <= cache_bytes) reuse *= 2;
  return reuse;
}

SuiteTimes::SuiteTimes(std::span<const profile::SuiteProcess> processes, const measure::Host& host,
                       std::int64_t cache_bytes)
    : cache_bytes_(cache_bytes) {
  std::vector<CorrectedProcess> all;
  for (const profile::SuiteProcess& process : processes) all.push_back(corrected(process, host));
  times_.emplace(0, BrickTimes(all, 0));
  const auto largest = static_cast<std::int64_t>(kMaxCaches * static_cast<double>(cache_bytes));
  for (std::int64_t reuse = kMinReuse; reuse <= reuse_of(largest, cache_bytes); reuse *= 2)
    times_.emplace(reuse, BrickTimes(all, reuse));
}

const BrickTimes& SuiteTimes::at(std::int64_t reuse_bytes) const {
  static const BrickTimes kNone;
  const auto found = times_.find(reuse_bytes);
  return found == times_.end() ? kNone : found->second;
}

}  // namespace ridge::bricks
