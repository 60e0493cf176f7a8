// SPDX-License-Identifier: Apache-2.0
#include "trace/view_rows.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace ridge::trace {
namespace {

/// Median of nonnegative values, padded with zeros to `count` values.
double median_with_zeros(std::vector<double>& values, std::size_t count) {
  std::sort(values.begin(), values.end());
  const std::size_t zeros = count - std::min(count, values.size());
  const auto at = [&](std::size_t i) { return i < zeros ? 0.0 : values[i - zeros]; };
  const std::size_t n = zeros + values.size();
  return n % 2 == 1 ? at(n / 2) : (at(n / 2 - 1) + at(n / 2)) / 2;
}

/// Sum or covered length of pieces that are sorted by start.
double folded(const Piece* first, const Piece* last, Fold fold) {
  double sum = 0;  // many long pieces would overflow an integer
  std::int64_t reached = std::numeric_limits<std::int64_t>::min();
  for (const Piece* p = first; p != last; ++p) {
    const std::int64_t from = fold == Fold::kSum ? p->start_ns : std::max(p->start_ns, reached);
    if (p->end_ns > from) sum += static_cast<double>(p->end_ns - from);
    reached = std::max(reached, p->end_ns);
  }
  return sum;
}

}  // namespace

std::vector<double> Pieces::fold(std::size_t rows, std::size_t runs, Fold fold) {
  std::sort(pieces_.begin(), pieces_.end(), [](const Piece& a, const Piece& b) {
    return std::tie(a.row, a.run, a.start_ns) < std::tie(b.row, b.run, b.start_ns);
  });
  std::vector<double> out(rows, std::numeric_limits<double>::quiet_NaN());
  std::vector<double> values;
  const Piece* const end = pieces_.data() + pieces_.size();
  for (const Piece* first = pieces_.data(); first != end;) {
    const Piece* last = first;
    while (last != end && last->row == first->row && last->run == first->run) ++last;
    values.push_back(folded(first, last, fold));
    if (last == end || last->row != first->row) {
      if (first->row < rows) out[first->row] = median_with_zeros(values, runs);
      values.clear();
    }
    first = last;
  }
  return out;
}

}  // namespace ridge::trace
