// SPDX-License-Identifier: Apache-2.0
#include "import/dropped.h"

#include <fmt/format.h>

#include <limits>

#include "base/text.h"
#include "profile/timeline.h"

namespace ridge::imports {
namespace {

void add(std::vector<std::string>& notes, std::int64_t n, std::string_view what) {
  if (n > 0) notes.push_back(fmt::format("{} {}", counted(n, "event"), what));
}

}  // namespace

bool in_range(std::int64_t start_ns, std::int64_t end_ns) {
  return -profile::kFarthest <= start_ns && start_ns <= profile::kFarthest &&
         -profile::kFarthest <= end_ns && end_ns <= profile::kFarthest;
}

void add_up(std::int64_t& sum, std::int64_t part) {
  if (__builtin_add_overflow(sum, part, &sum))
    sum = part < 0 ? std::numeric_limits<std::int64_t>::min()
                   : std::numeric_limits<std::int64_t>::max();
}

bool keeps_runs(std::size_t layers, std::size_t runs, std::size_t events) {
  constexpr std::size_t kFree = 1'000'000, kPerEvent = 4;
  return layers == 0 || runs <= (kFree + kPerEvent * events) / layers;
}

void note_means(std::size_t layers, std::size_t runs, std::vector<std::string>& notes) {
  notes.push_back(fmt::format("{} in {} are too many to keep the times of each: times are means",
                              counted(static_cast<std::int64_t>(layers), "layer"),
                              counted(static_cast<std::int64_t>(runs), "run")));
}

void note(const Damage& damage, std::vector<std::string>& notes) {
  if (damage.dropped > 0)
    notes.push_back(fmt::format("{} could not be read and {} dropped, the first at byte {}",
                                counted(damage.dropped, "event"),
                                damage.dropped == 1 ? "is" : "are", damage.first_at.value_or(0)));
  if (damage.stray_commas > 0)
    notes.push_back(counted(damage.stray_commas, "stray comma") + " passed over");
  if (damage.cut_off)
    notes.push_back("the file is cut off: what its end would have said is missing");
}

void note(const Oddities& oddities, std::vector<std::string>& notes) {
  add(notes, oddities.negative, "of negative duration dropped");
  add(notes, oddities.out_of_range, "without a time that can be read dropped");
  add(notes, oddities.too_far, "more than 73 years from the clock's zero dropped");
  add(notes, oddities.backwards, "out of order: the clock of the recording went back");
  add(notes, oddities.overlapping,
      "overlapping another of the same thread, neither inside the other");
}

}  // namespace ridge::imports
