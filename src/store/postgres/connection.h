// SPDX-License-Identifier: Apache-2.0
// Connections to PostgreSQL servers.
//
//   connect("postgresql://?service=lab", Access::kRead, kPatience)
//
// The store is the schema that is current there (search_path), which must have nothing of other
// programs; table ridge_store holds its version. Passwords come from libpq's files (~/.pgpass,
// ~/.pg_service.conf) or from PGPASSWORD; a URI that has one is refused, since others see command
// lines and messages. Access::kRead needs a role that may SELECT. A statement whose answer is
// larger than 1 GiB ends with the error of a damaged store. Writers wait for others' locks, and for
// a server that restarts, up to `patience`.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "base/units.h"
#include "store/access.h"
#include "store/connection.h"

namespace ridge::store::postgres {

/// Errors: usage class for a URI that is none or has a password; environment class where libpq is
/// absent, the server cannot be reached or refuses the login.
Result<std::unique_ptr<Connection>> connect(const std::string& uri, Access access, Nanos patience);

}  // namespace ridge::store::postgres
