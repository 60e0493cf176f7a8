#include "machine/document.h"

#include <utility>

#include "base/version.h"

namespace ridge::machine {

Document document(Host host, std::vector<Check> checks, Ceilings ceilings) {
  return {std::string(version()), std::move(host), std::move(checks), std::move(ceilings.rows),
          std::move(ceilings.notes)};
}

}  // namespace ridge::machine
