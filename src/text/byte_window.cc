// SPDX-License-Identifier: Apache-2.0
#include "text/byte_window.h"

#include <algorithm>
#include <cstddef>

namespace ridge::text {
namespace {

/// White space of Python's bytes.strip().
constexpr std::string_view kSpace = " \t\n\v\f\r";

std::size_t size_of(int count) { return static_cast<std::size_t>(std::max(count, 0)); }

}  // namespace

std::vector<std::int64_t> byte_window(std::string_view text, const ByteWindow& window) {
  const std::size_t block = window.block > 0 ? size_of(window.block) : text.size();
  std::string_view first = text.substr(0, block);
  std::string_view last = text.substr(text.size() - std::min(block, text.size()));
  if (window.strip == Strip::kSpace) {
    first.remove_prefix(std::min(first.find_first_not_of(kSpace), first.size()));
    last = last.substr(0, last.find_last_not_of(kSpace) + 1);
  }
  first = first.substr(0, size_of(window.begin));
  last.remove_prefix(last.size() - std::min(last.size(), size_of(window.end)));
  std::vector<std::int64_t> out(size_of(window.begin) + size_of(window.end), window.pad);
  const auto value = [](char c) { return static_cast<unsigned char>(c); };
  std::ranges::transform(first, out.begin(), value);
  std::ranges::transform(last, out.end() - std::ssize(last), value);
  return out;
}

}  // namespace ridge::text
