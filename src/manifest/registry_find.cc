#include "manifest/registry_find.h"

#include <fmt/format.h>

#include "base/text.h"

namespace ridge::manifest {

Result<RegistryEntry> find_entry(const Registry& registry, const std::string& reference,
                                 std::optional<EntryKind> kind) {
  const Reference wanted = TRY(parse_reference(reference));
  if (kind) return registry.resolve(*kind, wanted);
  std::optional<EntryKind> found;
  for (const RegistryEntry& entry : TRY(registry.list())) {
    if (entry.name != wanted.name) continue;
    if (found && *found != entry.kind)
      return input_error("RIDGE-MAN-0094", fmt::format("'{}' is a {} and a {}", entry.name,
                                                       name(*found), name(entry.kind)))
          .hint(fmt::format("say which: --kind {}", name(entry.kind)));
    found = entry.kind;
  }
  return registry.resolve(found.value_or(EntryKind::kModel), wanted);
}

}  // namespace ridge::manifest
