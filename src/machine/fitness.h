// SPDX-License-Identifier: Apache-2.0
// Assessment of whether this machine is fit for measurements, with advice.
//
//   const std::vector<Check> checks = assess(observe(host, live_files()), runtimes);
//
// Observation takes half a second (load and clock are sampled over time); assessment is pure, so
// every verdict can be tested without such a machine. Nothing here changes the machine. For unknown
// facts `ok` is null and the finding or advice gives the reason.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/units.h"
#include "machine/host.h"
#include "machine/load.h"

namespace ridge::machine {

struct Check {
  std::string check;  ///< short stable name, which scripts may rely on
  std::optional<bool> ok;
  std::string finding;   ///< observed value
  std::string advice;    ///< recommended action; empty if none is needed
  bool serious = false;  ///< if it fails, no useful measurement is possible
};

/// A supported runtime; the caller searches for it.
struct RuntimeFinding {
  std::string name;                    ///< "onnxruntime"
  std::optional<std::string> version;  ///< nullopt: not found
  std::string library;                 ///< path, if found
  std::string advice;                  ///< how to install it, if not found
  bool measures = true;                ///< false: not used for measurements
};

/// Observed facts; unreadable ones are nullopt or empty.
struct Observation {
  Host host;
  Load load;                      ///< during the observation
  std::vector<double> clocks_hz;  ///< clock at several moments; empty if unknown
  Nanos timer_step;               ///< smallest step of the clock used for all timings
  std::optional<std::int64_t> memory_available;
  std::optional<std::string> huge_pages;  ///< "always", "madvise" or "never"
  /// Reason why hardware counters cannot be opened; "" if they can.
  std::optional<std::string> counters_error;
};

Observation observe(const Host& host, const SystemFiles& files);

std::vector<Check> assess(const Observation& seen, const std::vector<RuntimeFinding>& runtimes);

}  // namespace ridge::machine
