// SPDX-License-Identifier: Apache-2.0
// Checks of a store's file and of its header: SQLite accepts an empty file as an empty database,
// detects a truncated file only when it reads a missing page, and waits for a pipe.
//
//   TRY(check_kind(path, access));                                    // before SQLite opens it
//   TRY(check_header(path, TRY(read_head(handle, path)), access));    // once it has
//
// The bytes are read through SQLite alone. A descriptor of one's own would do harm: when a process
// closes any descriptor of a file, it loses all locks of POSIX that it has on it, and with them
// those of its other connections (sqlite.org/howtocorrupt.html, section 2.2). Thread rule: that of
// the connection.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "store/access.h"

struct sqlite3;

namespace ridge::store::sqlite {

struct Head {
  std::string bytes;  ///< the first 100, or all
  std::int64_t size = 0;
};

/// True if the file begins like an SQLite file; false also where it cannot be read.
bool begins_as_database(const std::string& path);

/// Succeeds if it is a regular file, or absent with Access::kCreate. Errors: as File::open.
Result<void> check_kind(const std::string& path, Access access);

Result<Head> read_head(sqlite3* handle, const std::string& path);

/// Succeeds if the file is an SQLite file of its full length, or empty with Access::kCreate.
/// Errors: not an SQLite file (the evidence shows its first bytes), empty, truncated.
Result<void> check_header(const std::string& path, const Head& head, Access access);

}  // namespace ridge::store::sqlite
