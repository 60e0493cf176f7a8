// SPDX-License-Identifier: Apache-2.0
// Names of run databases, as users write them: the path of a file, or the URI of a server,
// postgresql://?service=lab. Thread rule: pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ridge::store {

/// True for a URI of PostgreSQL (postgresql:// or postgres://).
bool is_server(std::string_view name);

/// True for the URI of a server and for a file that begins like an SQLite file.
bool is_database(const std::string& name);

/// "runs.db:7" split into the database and the text after the last colon, which is "" for a whole
/// database.
struct NamedRun {
  std::string database, run;
};
/// nullopt if `source` names no database. In a URI the colon of a port belongs to the server.
std::optional<NamedRun> named_run(const std::string& source);

}  // namespace ridge::store
