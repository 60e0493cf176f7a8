// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <set>
#include <string_view>

#include "base/file.h"
#include "lab/baseline/describe.h"
#include "lab/baseline/reference.h"
#include "record/json_read.h"

namespace ridge::lab {
namespace {

constexpr std::int64_t kLargest = std::int64_t{64} << 20;

Error astray(std::string_view what, std::size_t subject) {
  return input_error("RIDGE-LAB-0074", fmt::format("subjects[{}]: {}", subject, what))
      .hint("the file was changed; make it again with ridge runs baseline");
}

Result<void> check_thing(const Thing& thing, std::size_t machines, std::size_t subject) {
  std::set<std::uint32_t> voted;
  for (const Vote& vote : thing.votes) {
    if (vote.machine >= machines) return astray("a vote of a machine that is not there", subject);
    if (!voted.insert(vote.machine).second) return astray("two votes of one machine", subject);
  }
  return {};
}

}  // namespace

Result<void> check_baseline(const Baseline& b) {
  for (std::size_t i = 0; i < b.subjects.size(); ++i) {
    const Subject& s = b.subjects[i];
    if (s.point.has_value() == (s.kind == SubjectKind::kRoofs))
      return astray("a point belongs to latencies and layers", i);
    if (s.point && *s.point >= b.points.size()) return astray("a point that is not there", i);
    if (s.things.empty()) return astray("nothing that was measured", i);
    for (const Thing& thing : s.things) TRY(check_thing(thing, b.machines.size(), i));
    for (const std::uint32_t machine : s.outside)
      if (machine >= b.machines.size()) return astray("a machine that is not there", i);
  }
  return {};
}

Result<Baseline> read_baseline(const std::string& path) {
  auto read = record::read_json<Baseline>(TRY(read_file(path, kLargest)));
  if (!read.ok()) return std::move(read).error().in_file(path);
  for (Subject& s : read->subjects) std::ranges::sort(s.nodes);
  return read;
}

}  // namespace ridge::lab
