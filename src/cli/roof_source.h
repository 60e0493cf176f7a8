// The roofs that layers are held against: those of this machine, from the cache or measured now, or
// those of another, from the document that `ridge machine --format json` wrote there.
#pragma once

#include <string>
#include <vector>

#include "cli/console.h"
#include "machine/host.h"
#include "profile/profile.h"
#include "roofline/roofs.h"

namespace ridge {
class Progress;
}

namespace ridge::cli {

struct MachineRoofs {
  std::vector<profile::Roof> rows;  ///< of every thread count asked for
  std::vector<roofline::Cache> caches;
  roofline::Roofs at(std::int32_t threads) const {
    return roofline::roofs_from(rows, caches, threads);
  }
};

/// Prints the machine's notes as warnings. `progress` may be null.
Result<MachineRoofs> machine_roofs(const machine::Host& host, const std::vector<int>& threads,
                                   bool refresh, Progress* progress, Console& console);

struct MachineFile {
  MachineRoofs roofs;
  std::string host_json;     ///< the document's object "host"
  std::vector<int> threads;  ///< that it has roofs for, ascending
};

/// Errors: those of read_file; input class: no ridge.machine/1, or one without roofs.
Result<MachineFile> read_machine_file(const std::string& path);

}  // namespace ridge::cli
