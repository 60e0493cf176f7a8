// SPDX-License-Identifier: Apache-2.0
// Check of a store's file header before SQLite opens the file: SQLite accepts an empty file as an
// empty database and detects a truncated file only when it reads a missing page.
#pragma once

#include <string>

#include "base/result.h"
#include "store/access.h"

namespace ridge::store::sqlite {

/// True if the file begins like an SQLite file; false also where it cannot be read.
bool begins_as_database(const std::string& path);

/// Succeeds if the file is an SQLite file of its full length, or absent or empty with
/// Access::kCreate. Errors: missing, not an SQLite file (the evidence shows its first bytes),
/// empty, truncated.
Result<void> check_header(const std::string& path, Access access);

}  // namespace ridge::store::sqlite
