// SPDX-License-Identifier: Apache-2.0
#include "session/point_choice.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/hash/sha256.h"
#include "base/text.h"

namespace ridge::session {

std::string point_key(std::string_view dependencies) {
  constexpr std::size_t kDigits = 16;
  return sha256_of(dependencies).substr(0, kDigits);
}

void forget_processors(std::map<std::string, std::string>& options) { options.erase("pinned"); }

Result<std::vector<std::size_t>> select_points(std::span<const std::string> keys,
                                               std::span<const std::string> wanted) {
  constexpr std::size_t kShown = 40;
  for (const std::string& key : wanted)
    if (key.empty() || std::ranges::find(keys, key) == keys.end())
      return input_error("RIDGE-WB-0393", fmt::format("no point of the request has the key '{}'",
                                                      shorten(printable(key), kShown)))
          .evidence(fmt::format("it has {}", counted(std::ssize(keys), "point")))
          .hint("--dry-run lists them with their keys");
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (wanted.empty() || std::ranges::find(wanted, keys[i]) != wanted.end()) out.push_back(i);
  return out;
}

}  // namespace ridge::session
