// SPDX-License-Identifier: Apache-2.0
// SQL of src/store, which is SQLite's, as PostgreSQL takes it; and texts that PostgreSQL refuses.
//
//   for_postgres("id INTEGER PRIMARY KEY AUTOINCREMENT")
//       // "id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY"
//   with_numbers("WHERE a = ? AND b = ?")       // "WHERE a = $1 AND b = $2"
//
// The two databases agree in everything else that src/store writes; a phrase that is added to it
// and differs gets a line in sql.cc. Thread rule: pure.
#pragma once

#include <string>
#include <string_view>

namespace ridge::store::postgres {

/// Rewrites each phrase that differs. Never for texts that are not the program's own.
std::string for_postgres(std::string_view sql);

/// Parameters `?` by number.
std::string with_numbers(std::string_view sql);

/// A text as it is stored. A name in a model may be any bytes, but PostgreSQL keeps UTF-8 without
/// zero bytes: others are stored as U+0001, "bytes:", and the text with %XX for '%', zero bytes and
/// all that are not ASCII.
std::string stored_text(std::string_view text);
/// The text that was stored.
std::string text_of_stored(std::string_view stored);

}  // namespace ridge::store::postgres
