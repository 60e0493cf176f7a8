// The tables of a store, by version: a sorted list of steps, each the SQL that leads from the
// version before to its own. A step is never changed once it was released; a new one is added.
//
//   TRY(migrate(db, schema_steps()));     // of a writer: up to the newest version
//   TRY(check_schema(db, schema_steps())); // of anybody: this is a store, and its tables are ours
//
// PRAGMA application_id says that a file is a store of ridge, PRAGMA user_version its version.
#pragma once

#include <span>
#include <string_view>

#include "base/result.h"
#include "store/database.h"

namespace ridge::store {

/// "Rdge".
inline constexpr std::int64_t kApplicationId = 0x52646765;

struct SchemaStep {
  std::int64_t version = 0;
  std::string_view sql;
};

/// Ascending versions from 1.
std::span<const SchemaStep> schema_steps();

/// Makes the tables of an empty database, or brings those of an older store up to date, in one
/// transaction. Errors: another program's database, a newer version.
Result<void> migrate(const Database& db, std::span<const SchemaStep> steps);

/// True where migrate() has something to do. Errors as those of migrate().
Result<bool> is_older(const Database& db, std::span<const SchemaStep> steps);

/// The tables are exactly those of the newest version: nothing of a foreign schema gets to run.
Result<void> check_schema(const Database& db, std::span<const SchemaStep> steps);

}  // namespace ridge::store
