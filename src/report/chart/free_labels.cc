// SPDX-License-Identifier: Apache-2.0
#include "report/chart/free_labels.h"

#include <algorithm>

namespace ridge::report {
namespace {

constexpr double kLabelLetter = 6.2;  ///< pixels
constexpr double kAway = 4;           ///< between a mark and its label
constexpr std::size_t kTries = 40;    ///< places below each other

}  // namespace

double text_width(std::string_view text) {
  // Continuation bytes of UTF-8 are no letters.
  return kLabelLetter * static_cast<double>(std::ranges::count_if(text, [](char c) {
           return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
         }));
}

bool FreeLabels::is_free(const TextBox& box) const {
  return std::ranges::none_of(taken_, [&](const TextBox& other) {
    return box.x < other.x + other.width && other.x < box.x + box.width &&
           box.y < other.y + other.height && other.y < box.y + box.height;
  });
}

std::vector<TextBox> FreeLabels::along(double x, double y, double slope, double width) {
  constexpr double kStep = 10;
  std::vector<TextBox> out;
  for (double at = 0; at < width; at += kStep)
    out.push_back({.x = x + at, .y = y + slope * at - 11, .width = kStep});
  return out;
}

TextBox FreeLabels::below(TextBox box) {
  for (std::size_t i = 0; i < kTries && !is_free(box); ++i) box.y += box.height;
  take(box);
  return box;
}

TextBox FreeLabels::beside(const PlacedMark& mark, double width, double left, double right) {
  const double away = mark.radius + kAway, height = TextBox().height;
  std::vector<TextBox> places = {{mark.x + away, mark.y - height / 2, width},
                                 {mark.x - away - width, mark.y - height / 2, width},
                                 {mark.x - width / 2, mark.y - away - height, width},
                                 {mark.x - width / 2, mark.y + away, width}};
  for (std::size_t i = 1; i <= kTries; ++i)
    places.push_back({mark.x + away, mark.y - height / 2 + static_cast<double>(i) * height, width});
  for (TextBox& place : places) place.x = std::max(left, std::min(place.x, right - width));
  const auto found = std::ranges::find_if(places, [&](const TextBox& p) { return is_free(p); });
  const TextBox out = found == places.end() ? places.front() : *found;
  take(out);
  return out;
}

}  // namespace ridge::report
