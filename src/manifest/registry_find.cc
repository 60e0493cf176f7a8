// SPDX-License-Identifier: Apache-2.0
#include "manifest/registry_find.h"

#include <fmt/format.h>

#include "base/text.h"

namespace ridge::manifest {

Result<EntryKind> kind_of_entry(const Registry& registry, const std::string& wanted,
                                std::optional<EntryKind> kind) {
  if (kind) return *kind;
  std::optional<EntryKind> found;
  for (const EntryKind each : {EntryKind::kModel, EntryKind::kDataset, EntryKind::kLabels}) {
    if (!registry.has(each, wanted)) continue;
    if (found)
      return input_error("RIDGE-MAN-0094",
                         fmt::format("'{}' is a {} and a {}", wanted, name(*found), name(each)))
          .hint(fmt::format("say which: --kind {}", name(each)));
    found = each;
  }
  return found.value_or(EntryKind::kModel);
}

Result<RegistryEntry> find_entry(const Registry& registry, const std::string& reference,
                                 std::optional<EntryKind> kind) {
  const Reference wanted = TRY(parse_reference(reference));
  return registry.resolve(TRY(kind_of_entry(registry, wanted.name, kind)), wanted);
}

}  // namespace ridge::manifest
