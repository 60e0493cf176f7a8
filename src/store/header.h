// The first bytes of a file that should be a store, looked at before SQLite sees it: SQLite takes
// an empty file for an empty database and notices a missing end only when it comes there.
#pragma once

#include <string>

#include "base/result.h"
#include "store/database.h"

namespace ridge::store {

/// Fine where the file is an SQLite file of its full length, or may be made. Errors: not there, no
/// SQLite file (the evidence shows how it begins), empty, cut short.
Result<void> check_header(const std::string& path, Access access);

}  // namespace ridge::store
