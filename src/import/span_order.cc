// SPDX-License-Identifier: Apache-2.0
#include "import/span_order.h"

#include <algorithm>
#include <limits>
#include <map>
#include <unordered_map>

#include "base/number.h"
#include "import/run_choice.h"
#include "import/torch_operators.h"

namespace ridge::imports {
namespace {

using profile::Span;
using profile::SpanId;

constexpr std::uint64_t mixed(std::uint64_t sum, std::uint64_t value) {
  sum ^= value + 0x9e3779b97f4a7c15ULL + (sum << 6U) + (sum >> 2U);
  return sum * 0xbf58476d1ce4e5b9ULL;
}

}  // namespace

std::vector<std::vector<std::int64_t>> parse_shapes(std::string_view text) {
  std::vector<std::vector<std::int64_t>> out;
  std::vector<std::int64_t> list;
  bool innermost = false;
  // A tool may have written the file again with line breaks.
  constexpr std::string_view kBetween = ", \t\r\n", kEnds = ",] \t\r\n";
  for (std::size_t i = 1; i < text.size();) {  // after the outermost bracket
    const char c = text[i];
    if (c == '[') {
      list.clear();
      innermost = true;
      ++i;
    } else if (c == ']') {
      if (innermost) out.push_back(list);
      innermost = false;
      ++i;
    } else if (kBetween.find(c) != std::string_view::npos) {
      ++i;
    } else {
      const std::size_t end = std::min(text.find_first_of(kEnds, i), text.size());
      const auto number = whole_number<std::int64_t>(text.substr(i, end - i));
      if (!number) break;
      list.push_back(*number);
      i = end;
    }
  }
  return out;
}

SpanOrder::SpanOrder(const Spans& spans, const SpanNesting& nesting, SpanRuns& runs)
    : given_(spans), nesting_(nesting) {
  if (spans.names == nullptr) {
    choose(runs);
    return;
  }
  const std::vector<Span>& all = spans.timeline.spans();
  std::vector<SpanId> operations;
  bool any_known = false;
  for (SpanId i = 0; i < all.size(); ++i) {
    if (!nesting.is_operation(i)) continue;
    operations.push_back(i);
    any_known |= nesting.is_known(i);
  }
  if (!any_known) {
    choose(runs);
    return;
  }
  std::ranges::stable_sort(operations, {}, [&](SpanId i) { return all[i].start_ns; });
  if (!runs.known()) tell_runs(runs, operations);
  choose(runs);
  if (!leave_out_odd(runs, operations)) return;
  nth_.assign(all.size(), 0);
  std::map<std::pair<std::size_t, profile::TextId>, std::uint32_t> seen;
  for (const SpanId i : operations)
    if (const auto run = runs.of(spans.facts[i].process, all[i].start_ns))
      nth_[i] = seen[{*run, all[i].name}]++;
}

/// Detects runs by repetition: the recorded products divided by the model's give their number,
/// accepted only if the operators repeat with a fitting period.
void SpanOrder::tell_runs(SpanRuns& runs, const std::vector<SpanId>& operations) {
  const std::vector<Span>& all = given_.timeline.spans();
  const std::size_t products = given_.names->products();
  const auto processes = static_cast<std::uint32_t>(given_.processes.size());
  for (std::uint32_t process = 0; process < processes; ++process) {
    std::vector<SpanId> known;
    std::vector<std::uint64_t> sequence;
    std::size_t recorded = 0;
    for (const SpanId i : operations) {
      if (given_.facts[i].process != process || !nesting_.is_known(i)) continue;
      known.push_back(i);
      sequence.push_back(mixed(all[i].name, given_.facts[i].shapes));
      recorded +=
          static_cast<std::size_t>(torch_rows(given_.timeline.text(all[i].name))[0].products);
    }
    if (products == 0 || recorded <= products || recorded % products != 0) continue;
    const std::size_t times = recorded / products;
    const std::size_t period = period_of(sequence);
    if (sequence.size() % times != 0 || (sequence.size() / times) % period != 0) continue;
    std::vector<std::int64_t> starts_ns;
    for (std::size_t run = 0; run < times; ++run)
      starts_ns.push_back(run == 0 ? std::numeric_limits<std::int64_t>::min()
                                   : all[known[run * sequence.size() / times]].start_ns);
    runs.repeat(process, starts_ns);
  }
}

/// Drops the runs that the caller's choice does not have. A run is as large as the input of its
/// first operator that multiplies matrices.
void SpanOrder::choose(SpanRuns& runs) {
  if (given_.choice.empty()) return;
  const std::vector<Span>& all = given_.timeline.spans();
  std::vector<RunSize> sizes(runs.known() ? runs.count() : 0);
  std::vector<std::int64_t> first_ns(sizes.size(), std::numeric_limits<std::int64_t>::max());
  for (SpanId i = 0; i < all.size() && !sizes.empty(); ++i) {
    if (all[i].level != profile::Level::kLayer || given_.facts[i].shapes == 0) continue;
    const auto rows = torch_rows(given_.timeline.text(all[i].name));
    if (rows.empty() || rows[0].products == 0) continue;
    const auto run = runs.of(given_.facts[i].process, all[i].start_ns);
    if (!run || all[i].start_ns >= first_ns[*run]) continue;
    const auto inputs = parse_shapes(given_.timeline.text(given_.facts[i].shapes));
    if (inputs.empty()) continue;
    first_ns[*run] = all[i].start_ns;
    sizes[*run].dims = inputs[0];
  }
  Result<std::vector<bool>> keep = chosen_runs(given_.choice, sizes, notes_);
  if (!keep.ok()) {
    refused_ = std::move(keep).error();
    return;
  }
  keep->flip();
  runs.leave_out(*keep);
}

/// Drops runs whose operators differ from most. Returns false if fewer than half of the runs agree,
/// or a run has more than kMaxOperations.
bool SpanOrder::leave_out_odd(SpanRuns& runs, const std::vector<SpanId>& operations) {
  const std::vector<Span>& all = given_.timeline.spans();
  std::vector<std::uint64_t> ran(runs.count(), 0);
  std::vector<std::size_t> length(runs.count(), 0);
  for (const SpanId i : operations)
    if (const auto run = runs.of(given_.facts[i].process, all[i].start_ns)) {
      ran[*run] = mixed(ran[*run], all[i].name);
      ++length[*run];
    }
  std::unordered_map<std::uint64_t, std::size_t> times;
  std::uint64_t usual = 0;
  std::size_t most = 0, busy = 0;
  for (std::size_t run = 0; run < ran.size(); ++run) {
    if (length[run] == 0) continue;  // the process runs no operators
    if (length[run] > kMaxOperations) return false;
    ++busy;
    if (const std::size_t now = ++times[ran[run]]; now > most) {
      most = now;
      usual = ran[run];
    }
  }
  if (most * 2 < busy) return false;
  // Processes may run different parts of a model; steps of one process are alike.
  if (!runs.known() || given_.processes.size() > 1) return true;
  std::vector<bool> odd(ran.size());
  for (std::size_t run = 0; run < ran.size(); ++run) odd[run] = ran[run] != usual;
  odd_runs_ = static_cast<std::size_t>(std::ranges::count(odd, true));
  if (odd_runs_ > 0) runs.leave_out(odd);
  return true;
}

std::optional<RecordedOperation> SpanOrder::operation(SpanId span) const {
  if (nth_.empty() || !nesting_.is_operation(span)) return std::nullopt;
  RecordedOperation out;
  if (const profile::TextId shapes = given_.facts[span].shapes; shapes != 0)
    out.inputs = parse_shapes(given_.timeline.text(shapes));
  out.module = given_.timeline.text(nesting_.module(span));
  return out;
}

}  // namespace ridge::imports
