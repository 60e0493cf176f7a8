// SPDX-License-Identifier: Apache-2.0
#include "store/postgres/uri.h"

#include <cstring>
#include <memory>
#include <string_view>

#include "store/postgres/library.h"

namespace ridge::store::postgres {
namespace {

Error has_password() {
  return usage_error("RIDGE-STORE-0020", "the URI of the store has a password")
      .hint(
          "others see command lines: put the password into ~/.pgpass (mode 0600), a line "
          "host:port:database:user:password, or a service into ~/.pg_service.conf");
}

/// Also where libpq cannot parse it, since its words may repeat a part of the URI.
bool looks_like_password(std::string_view uri) {
  const std::string_view rest = uri.substr(uri.find("://") + 3);
  const std::string_view host = rest.substr(0, rest.find_first_of("/?"));
  const std::size_t at = host.rfind('@');
  const bool in_user = at != std::string_view::npos && host.substr(0, at).find(':') < at;
  return in_user || rest.find("password=") != std::string_view::npos;
}

}  // namespace

Result<void> check_uri(const std::string& uri) {
  if (looks_like_password(uri)) return has_password();
  const Library& pq = *TRY(library());
  char* words = nullptr;
  PQconninfoOption* parsed = pq.conninfoParse(uri.c_str(), &words);
  const std::unique_ptr<PQconninfoOption, decltype(pq.conninfoFree)> freed(parsed, pq.conninfoFree);
  const std::unique_ptr<char, decltype(pq.freemem)> text(words, pq.freemem);
  if (parsed == nullptr) {
    std::string said = words ? words : "out of memory";
    while (said.ends_with('\n')) said.pop_back();
    return usage_error("RIDGE-STORE-0021", "this is not the URI of a PostgreSQL server")
        .evidence(std::move(said))
        .hint("postgresql://?service=lab, or postgresql://user@host:5432/database")
        .in_file(uri);
  }
  for (const PQconninfoOption* o = parsed; o->keyword != nullptr; ++o)
    if (o->val != nullptr && std::strstr(o->keyword, "password") != nullptr) return has_password();
  return {};
}

}  // namespace ridge::store::postgres
