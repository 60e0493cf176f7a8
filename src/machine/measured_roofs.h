// SPDX-License-Identifier: Apache-2.0
// Measures the roofs of this machine (roof.h), for one thread and for all, and keeps them.
//
//   const Host host = this_host();
//   const MeasuredRoofs roofs = TRY(load_or_measure(host, live_files(), {.cache_folder = folder}));
//   for (const MeasuredRoof& roof : roofs.rows) use(roof.kind, roof.level, roof.value);
//
// A roof is the best of at least twenty short bursts of the best kernel; `ci` is the 95 % interval
// of that maximum under resampling of the bursts, so its upper end is the value. Results are cached
// in `cache_folder`, keyed by processor, microcode, cores, kernel and version of ridge. Roofs
// measured while other programs used the processors are measured again on the next call (up to
// three more times) and each row keeps the higher value, since disturbances only lower a roof.
// Thread rule: use one call at a time per cache folder; concurrent calls overwrite each other's
// whole document. Cost: milliseconds from the cache, about ten seconds to measure. Errors: as
// RoofMeter; a cache that cannot be read or written causes a note, not an error.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "machine/host.h"
#include "machine/roof.h"

namespace ridge::machine {

struct RoofsOptions {
  std::vector<int> threads;  ///< empty: 1 and the number of allowed processors
  std::string cache_folder;  ///< empty: no cache
  bool refresh = false;      ///< measure regardless of the cache, and replace its content
  Progress* progress = nullptr;
  std::function<bool()> stop;  ///< polled between measurements; true: return the partial result
};

/// Returns the default thread counts: 1 and the number of allowed processors.
std::vector<int> default_threads(const Host& host);

Result<MeasuredRoofs> load_or_measure(const Host& host, const SystemFiles& files,
                                      const RoofsOptions& options);

/// Measures without using a cache.
Result<MeasuredRoofs> measure_roofs(const Host& host, const SystemFiles& files,
                                    const RoofsOptions& options);

}  // namespace ridge::machine
