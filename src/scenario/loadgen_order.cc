// SPDX-License-Identifier: Apache-2.0
#include "scenario/loadgen_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace ridge::scenario {
namespace {

constexpr std::uint64_t kMaxSamples = std::uint64_t{1} << 30;

std::mt19937 seeded(std::uint64_t seed) {
  return std::mt19937(static_cast<std::mt19937::result_type>(seed));
}

std::vector<std::uint32_t> numbered(std::size_t count) {
  std::vector<std::uint32_t> out(count);
  std::iota(out.begin(), out.end(), 0u);
  return out;
}

/// Permutation of every `stride`-th position, as loadgen.cc draws it for accuracy and unique issue.
std::vector<std::uint32_t> permuted(std::size_t count, std::size_t stride, std::mt19937& random) {
  std::vector<std::uint32_t> out;
  for (std::size_t i = 0; i < count; i += stride) out.push_back(static_cast<std::uint32_t>(i));
  std::shuffle(out.begin(), out.end(), random);
  return out;
}

/// Permutations of the set one after the other, each a shuffle of the one before. With kNothing the
/// generator is brought to the same state, and no more.
enum class Keep : std::uint8_t { kAll, kNothing };
std::vector<std::uint32_t> concatenated(std::size_t queries, std::size_t set, Keep keep,
                                        std::mt19937& random) {
  std::vector<std::uint32_t> out, one = numbered(set);
  for (std::size_t i = 0; i < queries; i += set) {
    std::shuffle(one.begin(), one.end(), random);
    if (keep == Keep::kAll) out.insert(out.end(), one.begin(), one.end());
  }
  return out;
}

}  // namespace

Result<LoadgenOrder> LoadgenOrder::make(const LoadgenSettings& settings,
                                        const SampleCounts& counts) {
  const auto refuse = [](std::string_view what, std::uint64_t count) {
    return input_error("RIDGE-SCEN-0030", fmt::format("{} is {}", what, count))
        .hint(fmt::format("choose 1 to {}", kMaxSamples));
  };
  const auto fits = [](std::uint64_t n) { return n >= 1 && n <= kMaxSamples; };
  const LoadgenEffective used = effective(settings, counts);
  if (!fits(counts.total)) return refuse("the number of samples", counts.total);
  if (!fits(used.performance_sample_count))
    return refuse("the number of samples loaded at a time", used.performance_sample_count);
  if (!fits(used.samples_per_query))
    return refuse("the number of samples of a query", used.samples_per_query);
  if (!fits(std::max<std::uint64_t>(used.min_query_count, 1)))
    return refuse("the least number of queries", used.min_query_count);
  const std::uint64_t loaded = std::min(used.performance_sample_count, counts.total);
  if (settings.performance_issue_same && settings.performance_issue_same_index >= loaded)
    return refuse("the index of the sample to repeat", settings.performance_issue_same_index);
  return LoadgenOrder(settings, counts);
}

LoadgenOrder::LoadgenOrder(const LoadgenSettings& settings, const SampleCounts& counts)
    : settings_(settings), used_(effective(settings, counts)) {
  const bool accuracy = settings.mode == LoadgenMode::kAccuracy;
  const std::uint64_t count =
      accuracy ? used_.accuracy_sample_count : used_.performance_sample_count;
  all_ = numbered(static_cast<std::size_t>(std::min(count, counts.total)));
  std::mt19937 random = seeded(settings.qsl_rng_seed);
  std::shuffle(all_.begin(), all_.end(), random);
  begin_set(0);
}

void LoadgenOrder::begin_set(std::size_t first) {
  begin_ = first;
  at_ = 0;
  distinct_ =
      std::min(static_cast<std::size_t>(used_.performance_sample_count), all_.size() - first);
  const auto from = all_.begin() + static_cast<std::ptrdiff_t>(first);
  set_.assign(from, from + static_cast<std::ptrdiff_t>(distinct_));
  const bool multi = settings_.scenario == LoadgenScenario::kMultiStream;
  const auto per_query = static_cast<std::size_t>(used_.samples_per_query);
  // Padding by its own first samples, so that each may start a query.
  for (std::size_t i = 0; multi && i + 1 < per_query; ++i) set_.push_back(set_[i]);

  const bool accuracy = settings_.mode == LoadgenMode::kAccuracy;
  const bool offline = settings_.scenario == LoadgenScenario::kOffline;
  const bool unique = settings_.performance_issue_unique;
  std::size_t queries = static_cast<std::size_t>(used_.min_query_count);
  if (accuracy || unique) queries = set_.size() / (accuracy && offline ? distinct_ : per_query);
  random_ = seeded(settings_.sample_index_rng_seed);
  const std::size_t stride = multi ? per_query : 1;
  chosen_.clear();
  if (accuracy) chosen_ = permuted(distinct_, stride, random_);
  std::vector<std::uint32_t> once = permuted(distinct_, stride, random_);
  const bool equal = settings_.sample_concatenate_permutation && !accuracy && !multi && !offline &&
                     !unique && !settings_.performance_issue_same;
  std::vector<std::uint32_t> equally =
      concatenated(queries, set_.size(), equal ? Keep::kAll : Keep::kNothing, random_);
  if (unique) chosen_ = std::move(once);
  if (equal) chosen_ = std::move(equally);
}

std::uint32_t LoadgenOrder::index() {
  if (settings_.performance_issue_same && !settings_.performance_issue_unique &&
      settings_.mode != LoadgenMode::kAccuracy)
    return static_cast<std::uint32_t>(settings_.performance_issue_same_index);
  if (!chosen_.empty()) return chosen_[at_ % chosen_.size()];
  std::uniform_int_distribution<> draw(0, static_cast<int>(distinct_) - 1);
  return static_cast<std::uint32_t>(draw(random_));
}

// The loaded set over and over, shuffled each time for equal issue, which is then rounded up to
// whole sets.
void LoadgenOrder::fill_offline() {
  const std::size_t set = set_.size();
  const bool accuracy = settings_.mode == LoadgenMode::kAccuracy;
  const bool equal = settings_.sample_concatenate_permutation;
  std::size_t count = accuracy ? distinct_ : static_cast<std::size_t>(used_.samples_per_query);
  if (equal && !accuracy) count = (count + set - 1) / set * set;
  query_.clear();
  if (settings_.performance_issue_same) {
    query_.assign(count, set_[static_cast<std::size_t>(settings_.performance_issue_same_index)]);
    return;
  }
  while (query_.size() < count) {
    const std::size_t part = std::min(set, count - query_.size());
    query_.insert(query_.end(), set_.begin(), set_.begin() + static_cast<std::ptrdiff_t>(part));
    if (equal && part == set)
      std::shuffle(query_.end() - static_cast<std::ptrdiff_t>(set), query_.end(), random_);
  }
}

/// Sets the next query of the set; false if it has no more.
bool LoadgenOrder::draw() {
  const bool once = settings_.mode == LoadgenMode::kAccuracy || settings_.performance_issue_unique;
  const bool offline = settings_.scenario == LoadgenScenario::kOffline;
  if (offline ? at_ > 0 : once && at_ == chosen_.size()) return false;
  if (offline) {
    fill_offline();
  } else {
    query_.clear();
    const std::uint32_t first = index();
    const bool multi = settings_.scenario == LoadgenScenario::kMultiStream;
    const std::size_t count = multi ? static_cast<std::size_t>(used_.samples_per_query) : 1;
    for (std::size_t i = 0; i < count; ++i) query_.push_back(set_[first + i]);
  }
  ++at_;
  return true;
}

std::span<const std::uint32_t> LoadgenOrder::next() {
  while (!draw()) {
    const std::size_t after = begin_ + distinct_;
    if (settings_.mode != LoadgenMode::kAccuracy || after >= all_.size()) {
      query_.clear();
      break;
    }
    begin_set(after);
  }
  return query_;
}

LoadgenArrivals::LoadgenArrivals(const LoadgenSettings& settings, const LoadgenEffective& used)
    : random_(seeded(settings.schedule_rng_seed)), gaps_(used.target_qps) {
  if (settings.scenario != LoadgenScenario::kServer)
    period_ns_ = std::max<std::int64_t>(
        static_cast<std::int64_t>(std::min(1.0 / used.target_qps * 1e9, 9e18)), 1);
}

std::int64_t LoadgenArrivals::next() {
  const std::int64_t now = now_ns_;
  const std::int64_t gap =
      period_ns_ > 0 ? period_ns_ : static_cast<std::int64_t>(std::min(gaps_(random_) * 1e9, 9e18));
  now_ns_ = gap < kNever - now ? now + gap : kNever;
  return now;
}

}  // namespace ridge::scenario
