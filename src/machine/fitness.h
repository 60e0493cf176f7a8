// Is this machine fit to measure on, and what would make it fitter?
//
//   const std::vector<Check> checks = assess(observe(host, live_files()), runtimes);
//
// Observing takes half a second (load and clock are watched over a while); assessing is pure, so
// every verdict is tested without a machine that earns it. Nothing here changes the machine. What
// cannot be known is neither good nor bad: `ok` is null and the advice says why.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/json_writer.h"
#include "base/units.h"
#include "machine/host.h"
#include "machine/load.h"

namespace ridge::machine {

struct Check {
  std::string check;  ///< short name, stable: scripts may look for it
  std::optional<bool> ok;
  std::string finding;   ///< what was seen
  std::string advice;    ///< what to do; empty where nothing needs doing
  bool serious = false;  ///< while it fails, nothing worth reading can be measured
};

/// A runtime that ridge knows, looked for by the caller.
struct RuntimeFinding {
  std::string name;                    ///< "onnxruntime"
  std::optional<std::string> version;  ///< nullopt: not found
  std::string library;                 ///< path, where found
  std::string advice;                  ///< how to get it, where not
  bool measures = true;                ///< false: it serves another purpose
};

/// What was seen; members that could not be read are nullopt or empty.
struct Observation {
  Host host;
  Load load;                      ///< over the time of observation
  std::vector<double> clocks_hz;  ///< the clock at several moments; empty where unknown
  Nanos timer_step;               ///< smallest step of the clock that times everything
  std::optional<std::int64_t> memory_available;
  std::optional<std::string> huge_pages;  ///< "always", "madvise" or "never"
  std::optional<std::string>
      counters_error;  ///< why hardware counters cannot be opened; "" = they can
};

Observation observe(const Host& host, const SystemFiles& files);

std::vector<Check> assess(const Observation& seen, const std::vector<RuntimeFinding>& runtimes);

/// The array under "fitness".
void write_fitness(JsonWriter& json, const std::vector<Check>& checks);

}  // namespace ridge::machine
