// SPDX-License-Identifier: Apache-2.0
#include "store/errors.h"

#include <fmt/format.h>

#include <utility>

namespace ridge::store {

Error foreign_database(std::string_view what, std::string evidence, std::string hint,
                       const std::string& database) {
  return input_error("RIDGE-STORE-0002", fmt::format("{} is not a run database", what))
      .evidence(std::move(evidence))
      .hint(std::move(hint))
      .in_file(database);
}

Error damaged_database(std::string_view why, std::string hint, const std::string& database) {
  return input_error("RIDGE-STORE-0004", "the store is damaged")
      .evidence(std::string(why))
      .hint(std::move(hint))
      .in_file(database);
}

Error busy_database(std::string hint, const std::string& database) {
  return environment_error("RIDGE-STORE-0006", "another program is writing to the store")
      .hint(std::move(hint))
      .in_file(database);
}

Error failing_database(std::string words, std::string hint, const std::string& database) {
  return environment_error("RIDGE-STORE-0008", "reading or writing the store failed")
      .evidence(std::move(words))
      .hint(std::move(hint))
      .in_file(database);
}

}  // namespace ridge::store
