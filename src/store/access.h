// SPDX-License-Identifier: Apache-2.0
// Kinds of access to a store.
#pragma once

#include <cstdint>

namespace ridge::store {

enum class Access : std::uint8_t {
  kRead,    ///< the file must exist and is not changed
  kWrite,   ///< the file must exist
  kCreate,  ///< the file is created where it is absent; it may be empty
};

}  // namespace ridge::store
