// SPDX-License-Identifier: Apache-2.0
// A Profile as rows of the store's tables, and back.
//
//   const std::string content = content_of(profile);        // equal only for equal profiles
//   TRY(write_run(db, {.content = content, .recorded_s = now}, profile));
//   Profile same = TRY(read_run(db, 7));
//
// The caller opens the transaction. Thread rule: as for Database.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "profile/profile.h"
#include "store/database.h"

namespace ridge::store {

/// Digest of every member. Floating-point numbers are compared by their bits, except that every NaN
/// is the same.
std::string content_of(const profile::Profile& profile);

/// Columns of table run that are not members of the profile.
struct RunHead {
  std::string content;
  std::int64_t recorded_s = 0;
  std::string point, fitness;
  std::string machine;  ///< profile::machine_name()
};

/// Writes the run and returns its id.
Result<std::int64_t> write_run(const Database& db, const RunHead& head,
                               const profile::Profile& profile);

/// Reads a run, which must exist. A row that refers to a missing node, layer, process, text or span
/// is the error of a damaged store.
Result<profile::Profile> read_run(const Database& db, std::int64_t id);

}  // namespace ridge::store
