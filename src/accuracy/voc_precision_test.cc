// SPDX-License-Identifier: Apache-2.0
// Oracle: the definition written out: every prefix of the detections by score, its precision and
// recall, and the largest precision over all prefixes of at least that recall.
#include "accuracy/voc_precision.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "stats/random.h"

namespace ridge::accuracy {
namespace {

struct VocCase {
  std::size_t images = 0;
  std::vector<TrueBox> truths;
  std::vector<FoundBox> found;
};

VocCase random_voc_case(std::uint64_t seed) {
  stats::Random random(seed);
  VocCase c;
  c.images = 1 + random.below(4);
  const auto box = [&] {
    const auto number = [&](double n) { return std::floor(random.uniform() * n); };
    return Box{number(6), number(6), 1 + number(6), 1 + number(6)};
  };
  for (std::size_t n = random.below(14); n-- > 0;)
    c.truths.push_back({random.below(c.images),
                        static_cast<std::int64_t>(random.below(2)),
                        box(),
                        {},
                        random.below(5) == 0});
  for (std::size_t n = random.below(30); n-- > 0;)
    c.found.push_back({random.below(c.images), static_cast<std::int64_t>(random.below(2)), box(),
                       random.uniform()});
  return c;
}

/// Unit cells of a whole box.
std::set<std::pair<int, int>> cells(const Box& box) {
  std::set<std::pair<int, int>> found;
  for (int x = 0; x < static_cast<int>(box.width); ++x)
    for (int y = 0; y < static_cast<int>(box.height); ++y)
      found.insert({static_cast<int>(box.x) + x, static_cast<int>(box.y) + y});
  return found;
}

double overlap_by_cells(const Box& a, const Box& b) {
  const auto of_a = cells(a), of_b = cells(b);
  std::size_t shared = 0;
  for (const auto& cell : of_a) shared += of_b.count(cell);
  return static_cast<double>(shared) / static_cast<double>(of_a.size() + of_b.size() - shared);
}

/// Right and taken detections of each prefix of the detections of a category.
struct Prefixes {
  std::vector<std::pair<int, int>> right_of_taken;
  int truths = 0;
};

Prefixes prefixes(const VocCase& c, std::int64_t category) {
  Prefixes all;
  std::vector<FoundBox> found;
  for (const FoundBox& f : c.found)
    if (f.category == category) found.push_back(f);
  std::sort(found.begin(), found.end(),
            [](const FoundBox& a, const FoundBox& b) { return a.score > b.score; });
  for (const TrueBox& t : c.truths) all.truths += t.category == category && !t.ignored ? 1 : 0;
  std::set<std::size_t> taken;
  int right = 0, wrong = 0;
  for (const FoundBox& f : found) {
    std::size_t best = c.truths.size();
    double most = -1;
    for (std::size_t t = 0; t < c.truths.size(); ++t) {
      if (c.truths[t].image != f.image || c.truths[t].category != category) continue;
      const double shared = overlap_by_cells(f.box, c.truths[t].box);
      if (shared > most) most = shared, best = t;
    }
    if (most < 0.5)
      ++wrong;
    else if (!c.truths[best].ignored)
      taken.insert(best).second ? ++right : ++wrong;
    all.right_of_taken.emplace_back(right, right + wrong);
  }
  return all;
}

double largest_precision(const Prefixes& p, double least_right) {
  double largest = 0;
  for (const auto& [right, taken] : p.right_of_taken)
    if (taken > 0 && right >= least_right)
      largest = std::max(largest, static_cast<double>(right) / taken);
  return largest;
}

double defined(const Prefixes& p, VocCurve curve) {
  double sum = 0;
  if (curve == VocCurve::kElevenPoints) {
    for (int r = 0; r <= 10; ++r) sum += largest_precision(p, r * p.truths / 10.0);
    return sum / 11;
  }
  for (int n = 1; n <= p.truths; ++n) sum += largest_precision(p, n);
  return sum / p.truths;
}

std::set<std::int64_t> numbers(const VocCase& c) {
  std::set<std::int64_t> out;
  for (const TrueBox& t : c.truths) out.insert(t.category);
  return out;
}

TEST(VocPrecision, IsAsDefined) {
  int judged = 0;
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    const VocCase c = random_voc_case(seed);
    const VocPrecision voc = VocPrecision::make(c.images, c.truths, c.found).value();
    for (const VocCurve curve : {VocCurve::kElevenPoints, VocCurve::kAllPoints}) {
      double sum = 0;
      int categories = 0;
      for (const std::int64_t category : numbers(c)) {
        const Prefixes p = prefixes(c, category);
        if (p.truths == 0) continue;
        sum += defined(p, curve);
        ++categories;
      }
      if (categories > 0) {
        EXPECT_NEAR(voc.value(curve), sum / categories, 1e-12);
      }
      judged += categories;
    }
  }
  EXPECT_GT(judged, 2000);
}

// Three boxes, found: right, wrong, right. Recalls 1/3 and 2/3 at precisions 1 and 2/3: of the
// eleven recalls 0 to 0.3 lie under the first and 0.4 to 0.6 under the second.
TEST(VocPrecision, OfAWorkedExample) {
  const Box box{0, 0, 10, 10}, away{50, 50, 10, 10};
  const std::vector<TrueBox> truths = {
      {0, 0, box, {}, false}, {1, 0, box, {}, false}, {2, 0, box, {}, false}};
  const std::vector<FoundBox> found = {{0, 0, box, 0.9}, {1, 0, away, 0.8}, {1, 0, box, 0.7}};
  const VocPrecision voc = VocPrecision::make(3, truths, found).value();
  EXPECT_NEAR(voc.value(VocCurve::kElevenPoints), (4 + 3 * 2.0 / 3) / 11, 1e-15);
  EXPECT_NEAR(voc.value(VocCurve::kAllPoints), (1 + 2.0 / 3) / 3, 1e-15);
  // The first image alone: all is found.
  EXPECT_EQ(voc.value(VocCurve::kAllPoints, std::vector<std::uint32_t>{2, 0, 0}), 1);
  const Figure figure = voc.figure(VocCurve::kAllPoints, {.resamples = 200});
  EXPECT_EQ(figure.samples, 3);
  EXPECT_TRUE(figure.interval->contains(figure.value));
}

TEST(VocPrecision, RefusesAnOverlapThatIsNone) {
  EXPECT_EQ(VocPrecision::make(1, {}, {}, 0).error().text(),
            "error: average precision: an overlap of 0\n"
            "  hint: overlaps lie above 0 and up to 1; Pascal VOC takes 0.5\n"
            "  [RIDGE-ACCU-0005]\n");
}

}  // namespace
}  // namespace ridge::accuracy
