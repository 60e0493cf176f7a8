// SPDX-License-Identifier: Apache-2.0
#include "evaluation/data/sample_names.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/trim.h"

namespace ridge::evaluation {
namespace {

constexpr std::size_t kSeveral = SIZE_MAX;

std::string_view ending(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  return dot == std::string_view::npos || dot == 0 ? std::string_view() : name.substr(dot);
}

}  // namespace

std::string_view stem(std::string_view name) {
  return name.substr(0, name.size() - ending(name).size());
}

std::string_view unquoted(std::string_view cell) {
  cell = trimmed(cell);
  if (cell.size() >= 2 && cell.front() == '"' && cell.back() == '"')
    cell = cell.substr(1, cell.size() - 2);
  return cell;
}

SampleNames::SampleNames(const std::vector<std::string>& names) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    whole_.emplace(names[i], i);
    if (const auto [at, fresh] = stems_.emplace(stem(names[i]), i); !fresh) at->second = kSeveral;
  }
}

std::optional<std::size_t> SampleNames::find(std::string_view name) const {
  for (const std::string_view part : {name, name.substr(name.find_last_of("/\\") + 1)}) {
    if (const auto at = whole_.find(part); at != whole_.end()) return at->second;
    const auto at = stems_.find(part);
    if (at != stems_.end() && at->second != kSeveral) return at->second;
  }
  return std::nullopt;
}

bool resembles_name(std::string_view text, const std::vector<std::string>& names) {
  constexpr std::array<std::string_view, 8> kImages = {".jpg", ".jpeg", ".png",  ".bmp",
                                                       ".tif", ".tiff", ".webp", ".gif"};
  const std::string_view own = ending(text);
  if (own.empty() || text.find(' ') != std::string_view::npos) return false;
  std::string lower(own);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
  return std::ranges::find(kImages, lower) != kImages.end() ||
         std::ranges::any_of(names, [&](const std::string& n) { return ending(n) == own; });
}

}  // namespace ridge::evaluation
