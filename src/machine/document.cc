// SPDX-License-Identifier: Apache-2.0
#include "machine/document.h"

#include <utility>

#include "base/version.h"

namespace ridge::machine {

Document document(Host host, std::vector<Check> checks, MeasuredRoofs roofs) {
  return {std::string(version()), std::move(host), std::move(checks), std::move(roofs.rows),
          std::move(roofs.notes)};
}

}  // namespace ridge::machine
