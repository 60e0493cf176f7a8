// SPDX-License-Identifier: Apache-2.0
// Entries of a registry as a user names them, of whatever kind.
//
//   RegistryEntry e = TRY(find_entry(registry, "digits@^1", {}));
//
// Errors (input class): as Registry::resolve; RIDGE-MAN-0094 for a name that several kinds
// have. Thread rule: the registry's.
#pragma once

#include <optional>
#include <string>

#include "manifest/registry.h"

namespace ridge::manifest {

/// `kind`, or the kind of the entries with this name; a model if there are none.
Result<EntryKind> kind_of_entry(const Registry& registry, const std::string& name,
                                std::optional<EntryKind> kind);

Result<RegistryEntry> find_entry(const Registry& registry, const std::string& reference,
                                 std::optional<EntryKind> kind);

}  // namespace ridge::manifest
