// SPDX-License-Identifier: Apache-2.0
// A Profile as rows of the store's tables, and back.
//
//   const std::string content = content_of(profile);        // equal only for equal profiles
//   TRY(write_run(db, content, head_of(profile, stamp), profile));
//   Profile same = TRY(read_run(db, 7));
//
// The caller opens the transaction. Thread rule: as for Database.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "profile/profile.h"
#include "record/describe.h"
#include "store/database.h"
#include "store/list_rows.h"

namespace ridge::store {

/// Digest of every member. Floating-point numbers are compared by their bits, except that every NaN
/// is the same.
std::string content_of(const profile::Profile& profile);

/// Columns of table run that are not members of the profile: what the caller knows, and what lists
/// show of other tables.
struct RunHead {
  Stamp stamp;
  std::string machine;        ///< profile::machine_name()
  std::string sizes;          ///< "batch=8, sequence=128"
  std::string thread_option;  ///< threads of the runtime; "" where not recorded
  std::int64_t layers = 0;
};

RunHead head_of(const profile::Profile& profile, const Stamp& stamp);

/// Writes the run and returns its id; nullopt where the store has the content.
Result<std::optional<std::int64_t>> write_run(const Database& db, const std::string& content,
                                              const RunHead& head, const profile::Profile& profile);

/// Reads a run, which must exist. A row that refers to a missing node, layer, process, text or span
/// is the error of a damaged store.
Result<profile::Profile> read_run(const Database& db, std::int64_t id);

}  // namespace ridge::store

namespace ridge {

template <>
struct record::Describe<store::RunHead> {
  using T = store::RunHead;
  using S = store::Stamp;
  static constexpr std::array fields{
      field<&T::stamp, &S::recorded_s>("recorded_s", "when it was kept, seconds since 1970 (UTC)"),
      field<&T::stamp, &S::point>("point", "key of the requested point"),
      field<&T::stamp, &S::fitness>("fitness", "checks of the host's fitness, as JSON"),
      field<&T::machine>("machine", "host, processor, number of processors"),
      field<&T::sizes>("sizes", "free sizes as bound: batch=4, sequence=128"),
      field<&T::thread_option>("thread_option", "threads of the runtime as its options say"),
      field<&T::layers>("layers", "rows of the runtime's layers")};
};

}  // namespace ridge
