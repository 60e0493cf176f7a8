// Which runs of a store somebody wants to see: all that hold for every member that is set.
//
//   std::erase_if(runs, [&](const RunRow& run) { return !takes(filter, run); });
//
// Pure. Letters are compared as they are written.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "store/store.h"

namespace ridge::store {

struct RunFilter {
  std::string model;                              ///< a part of the path; "": any
  std::vector<std::string> runtimes;              ///< names as runs say them; empty: any
  std::vector<std::uint32_t> threads;             ///< empty: any
  std::string host;                               ///< a part of the machine's name; "": any
  std::optional<std::int64_t> since_s, before_s;  ///< seconds since 1970: from, and before
};

bool takes(const RunFilter& filter, const RunRow& run);
/// A failure says neither threads nor host.
bool takes(const RunFilter& filter, const Failure& failure);

}  // namespace ridge::store
