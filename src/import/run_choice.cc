// SPDX-License-Identifier: Apache-2.0
#include "import/run_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "attribution/original.h"
#include "base/list.h"
#include "base/number.h"
#include "base/text.h"

namespace ridge::imports {
namespace {

using Dims = std::vector<std::int64_t>;

std::int64_t known_elements(const Dims& dims) {
  std::int64_t out = 1;
  for (const std::int64_t d : dims)
    if (d < 0 || __builtin_mul_overflow(out, d, &out)) return INT64_MAX;
  return out;
}

/// "1, 3 to 5, 9, …" of the runs that are marked.
std::string numbers(const std::vector<bool>& marked) {
  constexpr int kMaxRanges = 8;
  std::string out;
  int ranges = 0;
  for (std::size_t i = 0; i < marked.size(); ++i) {
    if (!marked[i]) continue;
    std::size_t last = i;
    while (last + 1 < marked.size() && marked[last + 1]) ++last;
    if (++ranges > kMaxRanges) return out + ", …";
    out += fmt::format("{}{}", out.empty() ? "" : ", ", i + 1);
    if (last > i) out += fmt::format(" to {}", last + 1);
    i = last;
  }
  return out;
}

/// Runs by the sizes of their first product, the fewest elements first.
std::map<std::pair<std::int64_t, Dims>, std::vector<bool>> kinds(const std::vector<RunSize>& runs) {
  std::map<std::pair<std::int64_t, Dims>, std::vector<bool>> out;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    std::vector<bool>& marked =
        out.try_emplace({known_elements(runs[i].dims), runs[i].dims}, runs.size()).first->second;
    marked[i] = true;
  }
  return out;
}

/// "1x1x768 in run 2 to 20; 1x128x768 in run 1"
std::string kinds_text(const std::vector<RunSize>& runs) {
  constexpr std::size_t kMaxKinds = 6;
  std::string out;
  std::size_t shown = 0;
  for (const auto& [kind, marked] : kinds(runs)) {
    if (++shown > kMaxKinds) return out + "; …";
    out += fmt::format(
        "{}{} in run {}", out.empty() ? "" : "; ",
        kind.second.empty() ? "unknown sizes" : fmt::format("{}", fmt::join(kind.second, "x")),
        numbers(marked));
  }
  return out;
}

Error no_such(std::string_view choice, const std::vector<RunSize>& runs, std::string_view why) {
  return usage_error("RIDGE-IMP-0015", fmt::format("--runs {}: {}", printable(choice), why))
      .evidence("sizes of the first matrix product: " + kinds_text(runs))
      .hint("give prefill, decode, a number, or a range such as 2..20");
}

/// "7" -> 6, 6; "2..5" -> 1, 4; nullopt for anything else.
std::optional<std::pair<std::size_t, std::size_t>> range_of(std::string_view text) {
  const std::size_t dots = text.find("..");
  const auto first = whole_number<std::size_t>(text.substr(0, dots));
  const auto last =
      dots == std::string_view::npos ? first : whole_number<std::size_t>(text.substr(dots + 2));
  if (!first || !last || *first == 0 || *last < *first) return std::nullopt;
  return std::pair(*first - 1, *last - 1);
}

/// Sizes of the first tensor in [{"float":[1,64]}, ...].
Dims first_sizes(std::string_view shapes) {
  const std::size_t colon = shapes.find(':');
  const std::size_t open = shapes.find('[', colon);
  if (colon == std::string_view::npos || open == std::string_view::npos) return {};
  Dims out;
  for (std::string_view item : items(shapes.substr(open + 1, shapes.find(']', open) - open - 1))) {
    const std::size_t begin = item.find_first_of("0123456789");
    if (begin == std::string_view::npos) return {};
    item = item.substr(begin, item.find_first_not_of("0123456789", begin) - begin);
    out.push_back(whole_number<std::int64_t>(item).value_or(-1));
  }
  return out;
}

}  // namespace

Result<std::vector<bool>> chosen_runs(std::string_view choice, const std::vector<RunSize>& runs,
                                      std::vector<std::string>& notes) {
  std::vector<bool> keep(runs.size());
  if (const auto range = range_of(choice)) {
    if (range->second >= runs.size())
      return no_such(choice, runs,
                     fmt::format("the recording has {}", counted(std::ssize(runs), "run")));
    for (std::size_t i = range->first; i <= range->second; ++i) keep[i] = true;
  } else if (choice == "prefill" || choice == "decode") {
    const auto by_size = kinds(runs);
    if (by_size.size() < 2 || by_size.rbegin()->first.second.empty())
      return no_such(choice, runs, "the recording's runs cannot be told apart by their sizes");
    keep = by_size.begin()->second;
    if (choice == "prefill") keep.flip();
  } else {
    return no_such(choice, runs, "it is none of the words and no number of a run");
  }
  notes.push_back(fmt::format("--runs {}: run {} of {} (sizes of the first matrix product: {})",
                              choice, numbers(keep), runs.size(), kinds_text(runs)));
  return keep;
}

/// Last run (by start) that encloses the event, on the event's thread if one of that thread does.
const OrtRunChoice::Run* OrtRunChoice::holder(const std::vector<Run>& runs,
                                              const profile::OrtEvent& event) {
  auto after = std::ranges::upper_bound(runs, event.start_us + 1, {}, &Run::start_us);
  const Run* other = nullptr;
  // Other threads execute the runs that overlap: few begin before the event.
  constexpr int kMaxOverlapping = 64;
  for (int i = 0; i < kMaxOverlapping && after != runs.begin(); ++i) {
    --after;
    if (event.start_us + event.duration_us > after->end_us + 1) continue;
    if (after->thread == event.thread) return &*after;
    if (other == nullptr) other = &*after;
  }
  return other;
}

Result<OrtRunChoice> OrtRunChoice::make(std::string_view content, std::string_view choice,
                                        std::vector<std::string>& notes) {
  OrtRunChoice out;
  if (choice.empty()) return out;
  profile::OrtEvent event;
  for (profile::OrtTrace trace(content); trace.next(event);)
    if (event.session && event.timed && event.name == "model_run" && event.duration_us >= 0)
      out.runs_.push_back({event.start_us, event.start_us + event.duration_us, event.thread, {}});
  std::ranges::sort(out.runs_, {}, &Run::start_us);
  for (profile::OrtTrace trace(content); trace.next(event);) {
    if (!event.node || !event.timed || !attribution::is_product(event.op_type)) continue;
    const Run* run = holder(out.runs_, event);
    if (run == nullptr || run->product_us <= event.start_us) continue;
    Run& first = out.runs_[static_cast<std::size_t>(run - out.runs_.data())];
    first.product_us = event.start_us;
    first.size.dims = first_sizes(event.output_shapes);
  }
  std::vector<RunSize> sizes;
  for (const Run& run : out.runs_) sizes.push_back(run.size);
  const std::vector<bool> keep = TRY(chosen_runs(choice, sizes, notes));
  for (std::size_t i = 0; i < keep.size(); ++i) out.runs_[i].kept = keep[i];
  return out;
}

bool OrtRunChoice::leaves_out(const profile::OrtEvent& event) const {
  if (runs_.empty()) return false;
  const Run* run = holder(runs_, event);
  return run != nullptr && !run->kept;
}

}  // namespace ridge::imports
