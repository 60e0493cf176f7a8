// SPDX-License-Identifier: Apache-2.0
// The tables of a store, by version: a sorted list of steps, each the SQL that migrates the
// previous version to its own. The first one makes the
// tables of the descriptions. A released step is never changed; a change of the tables adds one.
//
//   Database db = TRY(open_database("runs.db", Access::kWrite, kPatience, schema_steps()));
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "store/database.h"

namespace ridge::store {

struct SchemaStep {
  std::int64_t version = 0;
  std::string_view sql;
};

/// Steps in ascending order of version, from 1.
std::span<const SchemaStep> schema_steps();

/// Creates the tables of an empty database, or migrates an older store's tables, in one
/// transaction. Errors: another program's database, a newer version, one from before the first
/// release.
Result<void> migrate(const Database& db, std::span<const SchemaStep> steps);

/// True if migrate() would change the database. Errors: as for migrate().
Result<bool> is_older(const Database& db, std::span<const SchemaStep> steps);

/// Checks that the schema is exactly the newest version's, so that nothing of a foreign schema is
/// executed. Error: a damaged store.
Result<void> check_schema(const Database& db, std::span<const SchemaStep> steps);

/// Opens a store with exactly the tables of `steps`. An older one is migrated, also before it is
/// read. Errors: as Database::open(), migrate() and check_schema().
Result<Database> open_database(const std::string& path, Access access, Nanos patience,
                               std::span<const SchemaStep> steps);

}  // namespace ridge::store
