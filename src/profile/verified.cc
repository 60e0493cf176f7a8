// SPDX-License-Identifier: Apache-2.0
#include "profile/verified.h"

#include <algorithm>
#include <cmath>

#include "stats/samples.h"

namespace ridge::profile {

// Example: 10 layers, residual_share 1 %, comparable cuts after 3 layers (difference +1 %) and
// after 7 layers (+4 %). Segments: [0, 3) with +1 %, [3, 7) with 4 - 1 = +3 %, [7, 10) with 1 - 4 =
// -3 %: layers 3 to 6 account for too much time, layers 7 to 9 for too little.
std::vector<Segment> segments(const Profile& p) {
  std::vector<Segment> out;
  const VerifiedCut* from = nullptr;
  const auto add = [&](const VerifiedCut* to, std::uint32_t last, double at_end) {
    const std::uint32_t first = from == nullptr ? 0 : from->layers;
    const double at_start = from == nullptr ? 0 : from->difference.value;
    if (last > first) out.push_back({first, last, from, to, at_end - at_start});
    from = to;
  };
  for (const VerifiedCut& cut : p.verification.cuts)
    if (cut.verdict != Verdict::kIncomparable) add(&cut, cut.layers, cut.difference.value);
  if (from != nullptr)
    add(nullptr, static_cast<std::uint32_t>(p.layers.size()), p.profiling.residual_share);
  return out;
}

void mark_verified(Profile& p) {
  const std::vector<Segment> all = segments(p);
  const auto node = [](const VerifiedCut* cut) {
    return cut == nullptr ? std::nullopt : std::optional(cut->node);
  };
  for (std::uint32_t l = 0; l < p.layers.size(); ++l) {
    const Segment* s = segment_of(all, l);
    p.layers[l].verified.reset();
    if (s != nullptr) p.layers[l].verified = {node(s->from), node(s->to), s->difference};
  }
}

const Segment* segment_of(const std::vector<Segment>& segments, std::uint32_t layer) {
  for (const Segment& s : segments)
    if (s.first <= layer && layer < s.last) return &s;
  return nullptr;
}

std::optional<Segment> worst_segment(const Profile& p) {
  std::optional<Segment> worst;
  for (const Segment& s : segments(p))
    if (!worst || std::abs(s.difference) > std::abs(worst->difference)) worst = s;
  return worst;
}

std::optional<Distances> distances(const Verification& v) {
  std::vector<double> all;
  Distances out;
  for (const VerifiedCut& cut : v.cuts) {
    if (cut.verdict == Verdict::kIncomparable) continue;
    all.push_back(std::abs(cut.difference.value));
    if (out.at == nullptr || all.back() > out.largest) {
      out.largest = all.back();
      out.at = &cut;
    }
  }
  if (all.empty()) return std::nullopt;
  out.median = stats::median(all);
  return out;
}

}  // namespace ridge::profile
