// SPDX-License-Identifier: Apache-2.0
// Input or output of the canonical copy of a model (canonical.h). Plain data; the names belong to
// the documents of the copy and of the original.
#pragma once

#include <string_view>

#include "graph/model.h"

namespace ridge::attribution {

/// An input or output of the copy.
struct Port {
  std::string_view name;  ///< name in the copy
  std::string_view original_name;
  graph::ValueId value = 0;  ///< value of the original model
};

}  // namespace ridge::attribution
