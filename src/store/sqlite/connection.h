// SPDX-License-Identifier: Apache-2.0
// Connections to SQLite files whose content is untrusted.
//
// A file may claim more rows than it has bytes (pages that several rows share, rings of pages); a
// statement that reads more than the file could hold ends with the error of a damaged file: its
// rows may have 4 times the bytes of the file, joined ones 64 times. This limit applies in every
// access mode, except to a file that was absent or empty when it was opened. Triggers, views and
// functions of the file's own schema are never executed. PRAGMA application_id marks a file as a
// store of ridge; PRAGMA user_version is its version.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "base/units.h"
#include "store/access.h"
#include "store/connection.h"

namespace ridge::store::sqlite {

/// Errors: not an SQLite file, truncated, missing, cannot be opened.
Result<std::unique_ptr<Connection>> open(const std::string& path, Access access, Nanos patience);

/// An empty database in memory.
Result<std::unique_ptr<Connection>> in_memory();

}  // namespace ridge::store::sqlite
