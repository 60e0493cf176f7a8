// SPDX-License-Identifier: Apache-2.0
#include "lab/submit/lab_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "base/text.h"

namespace ridge::lab {
namespace {

constexpr std::size_t kLongest = 255;

bool made_of(std::string_view text, std::string_view punctuation) {
  return std::ranges::all_of(text, [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           punctuation.find(c) != std::string_view::npos;
  });
}

Result<std::string> checked(std::string text, std::string_view what, std::string_view punctuation,
                            std::size_t shortest = 0) {
  const bool good = text.size() >= shortest && text.size() <= kLongest && !text.starts_with('-') &&
                    made_of(text, punctuation);
  if (good) return text;
  return input_error("RIDGE-LAB-0110",
                     fmt::format("'{}' is no {}", shorten(printable(text), 40), what))
      .hint(fmt::format("letters, digits and {}, and no minus at the beginning", punctuation));
}

}  // namespace

Result<std::string> checked_destination(std::string text) {
  return checked(std::move(text), "destination for ssh", "._-@:[]%");
}

Result<std::string> checked_path(std::string text) {
  return checked(std::move(text), "path of a file for ssh", "._-+@/");
}

Result<std::string> checked_name(std::string text) {
  return checked(std::move(text), "name", "._-", 1);
}

Result<void> check(const Lab& lab) {
  std::set<std::string_view> names;
  for (const Host& host : lab.hosts)
    if (!names.insert(host.name).second)
      return input_error("RIDGE-LAB-0111", fmt::format("two hosts are called '{}'", host.name))
          .hint("give each a name of its own");
  if (lab.hosts.empty() && lab.slurm.empty())
    return input_error("RIDGE-LAB-0117", "the laboratory has no machine")
        .hint("add [[host]] with name and ssh");
  return {};
}

}  // namespace ridge::lab
