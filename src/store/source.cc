// SPDX-License-Identifier: Apache-2.0
#include "store/source.h"

#include "store/sqlite/header.h"

namespace ridge::store {
namespace {

/// Where the colon of a run may be: behind the hosts and ports of a URI.
std::size_t end_of_hosts(std::string_view uri) {
  const std::size_t hosts = uri.find("://") + 3;
  return std::min(uri.find_first_of("/?", hosts), uri.size());
}

}  // namespace

bool is_server(std::string_view name) {
  return name.starts_with("postgresql://") || name.starts_with("postgres://");
}

bool is_database(const std::string& name) {
  return is_server(name) || sqlite::begins_as_database(name);
}

std::optional<NamedRun> named_run(const std::string& source) {
  const bool server = is_server(source);
  if (!server && sqlite::begins_as_database(source)) return NamedRun{source, ""};
  const std::size_t colon = source.rfind(':');
  const bool ends_with_run =
      colon != std::string::npos && colon >= (server ? end_of_hosts(source) : 0);
  if (server && !ends_with_run) return NamedRun{source, ""};
  if (!ends_with_run || !is_database(source.substr(0, colon))) return std::nullopt;
  return NamedRun{source.substr(0, colon), source.substr(colon + 1)};
}

}  // namespace ridge::store
