// SPDX-License-Identifier: Apache-2.0
#include "bricks/cover.h"

#include <algorithm>
#include <compare>
#include <cstdint>
#include <optional>
#include <string_view>

#include "bricks/form/content.h"
#include "bricks/variants.h"
#include "bricks/whole.h"

namespace ridge::bricks {
namespace {

/// Standard deviation that a cut adds: the kernels of a brick run beside donors.
constexpr double kCutNs = 200;
/// Relative standard deviation of a time from one process.
constexpr double kOneProcess = 0.1;

/// Costs are compared member by member.
struct CoverCost {
  std::uint32_t uncovered = 0;   ///< layers without a brick
  std::uint32_t unmeasured = 0;  ///< bricks without a time
  double variance = 0;           ///< in ns^2

  CoverCost operator+(const CoverCost& other) const {
    return {uncovered + other.uncovered, unmeasured + other.unmeasured, variance + other.variance};
  }
  auto operator<=>(const CoverCost&) const = default;
};

Content content_named(const BrickSize& size) {
  Content out{.macs = size.macs};
  std::string_view left = std::string_view(size.kind).substr(0, size.kind.find('|'));
  while (!left.empty()) {
    const std::size_t end = std::min(left.find(' '), left.size());
    out.add(left.substr(0, end));
    left.remove_prefix(std::min(end + 1, left.size()));
  }
  return out;
}

double variance(const ProcessTimes& times) {
  const double center = mean(times), n = static_cast<double>(times.size());
  if (times.size() < 2) return kOneProcess * center * kOneProcess * center;
  // Variance of the mean, not of one process: 100, 102 and 104 ns differ from 102 by 2, 0 and 2, so
  // it is 8 / (3 * 2) = 1.33 ns^2.
  double squares = 0;
  for (const ProcessTime& t : times) squares += (t.ns - center) * (t.ns - center);
  return squares / (n * (n - 1));
}

class Covering {
 public:
  Covering(const Network& network, const Cutter& cutter, const BrickTimes& times)
      : network_(network), cutter_(cutter), times_(times) {
    for (const auto& [key, brick] : times.all()) known_.add(content_named(brick.size));
    for (const BrickSize& size : times.unmeasured()) known_.add(content_named(size));
  }

  std::vector<CoverPart> run() {
    const auto layers = static_cast<std::uint32_t>(network_.layers.size());
    best_.assign(layers + 1, {});
    best_[0].cost = CoverCost{};
    // best_[end] is the best cover of the first `end` layers; a piece [first, end) extends
    // best_[first]. Example: three layers, bricks for [0, 2) and [1, 3). Both covers leave one
    // layer without a brick (2, or 0), so the smaller variance decides.
    for (std::uint32_t first = 0; first < layers; ++first) {
      reach(first, first + 1, {.uncovered = 1}, std::nullopt);
      Content content;
      for (std::uint32_t end = first + 1; end <= layers && content.count <= known_.longest();
           ++end) {
        content.add(network_, end - 1);
        if (known_.contains(content)) try_piece(first, end);
      }
    }
    std::vector<CoverPart> out;
    for (std::uint32_t end = layers; end > 0; end = best_[end].first) out.push_back(part(end));
    std::ranges::reverse(out);
    return out;
  }

 private:
  struct Best {
    std::optional<CoverCost> cost;  ///< nullopt: not reached yet
    std::uint32_t first = 0;
    std::optional<CoverPart> part;
  };

  void reach(std::uint32_t first, std::uint32_t end, const CoverCost& cost,
             std::optional<CoverPart> part) {
    const CoverCost total = *best_[first].cost + cost;
    if (!best_[end].cost || total < *best_[end].cost) best_[end] = {total, first, std::move(part)};
  }

  /// A measured variant of the piece, else one that was planned.
  void try_piece(std::uint32_t first, std::uint32_t end) {
    std::optional<CoverPart> planned;
    std::vector<Piece> pieces = variants(network_, cutter_.piece(first, end));
    if (end - first == network_.layers.size())
      if (std::optional<Piece> whole = whole_piece(network_, cutter_))
        pieces.insert(pieces.begin(), std::move(*whole));
    for (Piece& piece : pieces) {
      Result<Form> form = canonical_form(network_, piece);
      if (!form.ok()) return;
      const BrickTime* time = times_.find(form->key);
      if (time != nullptr)
        return reach(first, end, {.variance = variance(time->times) + kCutNs * kCutNs},
                     CoverPart{std::move(piece), std::move(*form), time});
      if (!planned && !times_.lost(form->key).empty())
        planned = CoverPart{std::move(piece), std::move(*form), nullptr};
    }
    if (planned) reach(first, end, {.unmeasured = 1}, std::move(planned));
  }

  CoverPart part(std::uint32_t end) {
    Best& best = best_[end];
    if (best.part) return std::move(*best.part);
    CoverPart out{.piece = cutter_.piece(best.first, end), .form = {}};
    if (Result<Form> form = canonical_form(network_, out.piece); form.ok())
      out.form = std::move(*form);
    return out;
  }

  const Network& network_;
  const Cutter& cutter_;
  const BrickTimes& times_;
  Contents known_;
  std::vector<Best> best_;  // by end: of the layers before it
};

}  // namespace

std::vector<CoverPart> cover(const Network& network, const Cutter& cutter,
                             const BrickTimes& times) {
  return Covering(network, cutter, times).run();
}

}  // namespace ridge::bricks
