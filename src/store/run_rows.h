// A Profile as rows of the store's tables, and back.
//
//   const std::string content = content_of(profile);        // equal for equal profiles, only
//   TRY(write_run(db, {.content = content, .recorded_s = now}, profile));
//   Profile same = TRY(read_run(db, 7));
//
// Called inside a transaction of the caller's. Thread rule: as Database.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "profile/profile.h"
#include "store/database.h"

namespace ridge::store {

/// A digest of every member, NaN and numbers alike by their bits.
std::string content_of(const profile::Profile& profile);

/// What a row of table run has beside the profile.
struct RunHead {
  std::string content;
  std::int64_t recorded_s = 0;
  std::string point, fitness;
};

/// Returns the new id.
Result<std::int64_t> write_run(const Database& db, const RunHead& head,
                               const profile::Profile& profile);

/// The run must be there. What names a node, layer, process, text or span names one that is there.
Result<profile::Profile> read_run(const Database& db, std::int64_t id);

}  // namespace ridge::store
