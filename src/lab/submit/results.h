// SPDX-License-Identifier: Apache-2.0
// Results of other machines in the one store: by the functions of `ridge runs merge`.
//
//   Results results(store);
//   if (!TRY(results.has(key))) TRY(results.take("b2-7.db", key));
//
// Thread rule: one thread. Errors: as Store.
#pragma once

#include <string>

#include "base/result.h"
#include "store/store.h"

namespace ridge::lab {

enum class Taken : std::uint8_t {
  kNew,         ///< the store has the point now
  kDuplicate,   ///< it had it: nothing was added
  kUnreadable,  ///< the file is no run database
  kIncomplete,  ///< the file lacks the point; its failures were added
};

/// Deletes a file that came; "": there is none.
void discard_result(const std::string& path);

class Results {
 public:
  explicit Results(store::Store& store) : store_(store) {}

  /// Whether the store has a run or an evaluation of a point by its key there.
  Result<bool> has(const std::string& key) const;
  /// Merges a point's own run database, and deletes the file.
  Result<Taken> take(const std::string& path, const std::string& key);

 private:
  store::Store& store_;
};

}  // namespace ridge::lab
