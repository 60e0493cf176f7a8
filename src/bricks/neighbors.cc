// SPDX-License-Identifier: Apache-2.0
#include "bricks/neighbors.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <compare>
#include <functional>
#include <limits>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

#include "stats/normal.h"

namespace ridge::bricks {
namespace {

constexpr std::size_t kNeighbors = 5;
/// Distance below which one neighbor is hardly better than another.
constexpr double kNear = 0.1;
/// Bricks on either side of the asked one, in order of MACs, among which neighbors are sought.
constexpr std::size_t kSide = 100;
/// Bricks that are predicted for an interval, and that a cost is fitted to.
constexpr std::size_t kMaxScores = 500, kMaxFitted = 1000;
constexpr std::size_t kMinFitted = 3;
/// From here on an order statistic has 95 % of its population below it (19 would do).
constexpr std::size_t kEnough = 20;
constexpr double kConfidence = 0.95;
constexpr double kMinHalf = 0.01;
/// Half-width of an interval without any score: a factor of four.
constexpr double kUnknownHalf = 1.3862943611198906;
/// Largest exponent of a factor; exp() of it is finite.
constexpr double kMaxLog = 700;
constexpr double kMinNs = 1e-300, kMaxNs = std::numeric_limits<double>::max();

enum class Level : std::uint8_t { kKind, kKernels, kShared, kAll, kBytes };
constexpr std::array kLevels{Level::kKind, Level::kKernels, Level::kShared, Level::kAll,
                             Level::kBytes};

struct Kind {
  explicit Kind(std::string_view whole);

  std::string text, kernels;
  std::vector<std::string> names;  // of the kernels, products first
};

bool is_product(std::string_view name) {
  return std::ranges::any_of(std::array<std::string_view, 3>{"Conv", "Gemm", "MatMul"},
                             [&](std::string_view part) { return name.find(part) != name.npos; });
}

Kind::Kind(std::string_view whole) : text(whole), kernels(whole.substr(0, whole.find('|'))) {
  std::string_view left = kernels;
  while (!left.empty()) {
    const std::size_t end = std::min(left.find(' '), left.size());
    if (const std::string name(left.substr(0, end));
        !name.empty() && std::ranges::find(names, name) == names.end())
      names.push_back(name);
    left.remove_prefix(std::min(end + 1, left.size()));
  }
  std::ranges::stable_partition(names, is_product);
}

bool share_a_kernel(const Kind& a, const Kind& b) {
  return std::ranges::find_first_of(a.names, b.names) != a.names.end();
}

struct Size {
  explicit Size(const BrickSize& size)
      : macs(static_cast<double>(std::max<std::int64_t>(size.macs, 0))),
        bytes(static_cast<double>(std::max<std::int64_t>(size.bytes, 1))),
        log_macs(std::log(std::max(macs, 1.0))),
        log_bytes(std::log(bytes)) {}

  bool has_macs() const { return macs > 0; }

  double macs, bytes;
  double log_macs, log_bytes;
};

struct Item {
  Size size;
  double ns, log_ns;
  const Kind* kind;
};

/// The cost a * macs + b * bytes up to a factor: share * macs / typical MACs + (1 - share) * bytes
/// / typical bytes.
struct TypicalCost {
  double share = 0;
  double log_macs = 0, log_bytes = 0;  // typical ones: geometric means

  double log_of(const Size& s) const {
    double sum = (1 - share) * std::exp(s.log_bytes - log_bytes);
    if (s.has_macs()) sum += share * std::exp(s.log_macs - log_macs);
    return std::log(std::max(sum, std::numeric_limits<double>::min()));
  }
};

/// Bricks among which neighbors are sought, in order of MACs, then bytes.
struct Group {
  std::vector<const Item*> items;
  std::optional<TypicalCost> cost;
  std::optional<double> half;  // h
};

struct Key {
  Level level = Level::kAll;
  bool has_macs = false;
  std::string text;  // of the kind, its kernels or one of them

  auto operator<=>(const Key&) const = default;
};

/// Visits a sample of at most `most` items, spread evenly over them.
template <typename Visit>
void for_sample(const std::vector<const Item*>& items, std::size_t most, Visit visit) {
  const std::size_t n = std::min(items.size(), most);
  for (std::size_t i = 0; i < n; ++i) visit(*items[i * items.size() / n]);
}

/// Sum of absolute deviations from the median.
double scatter(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  const double center = *middle;
  double sum = 0;
  for (const double v : values) sum += std::abs(v - center);
  return sum;
}

TypicalCost fitted_cost(const std::vector<const Item*>& items) {
  TypicalCost cost;
  for (const Item* i : items) {
    cost.log_macs += i->size.log_macs / static_cast<double>(items.size());
    cost.log_bytes += i->size.log_bytes / static_cast<double>(items.size());
  }
  double least = std::numeric_limits<double>::infinity();
  TypicalCost best = cost;
  const auto attempt = [&](double share) {
    cost.share = share;
    std::vector<double> logs;
    for_sample(items, kMaxFitted,
               [&](const Item& i) { logs.push_back(i.log_ns - cost.log_of(i.size)); });
    // Shares that fit equally well differ by rounding; the first one stays.
    if (const double s = scatter(logs); s < least * (1 - 1e-9) - 1e-9) {
      least = s;
      best = cost;
    }
  };
  for (const double odds : {0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0}) {
    attempt(1 / (1 + std::exp(-odds)));
    if (odds > 0) attempt(1 / (1 + std::exp(odds)));
  }
  attempt(1);
  attempt(0);
  return best;
}

/// h of these scores alone.
double half_of(std::vector<double> scores) {
  const std::size_t n = scores.size();
  const double floor = std::max(kMinHalf, kUnknownHalf / (static_cast<double>(n) + 1));
  if (n == 0) return floor;
  std::ranges::sort(scores);
  double half = scores.back();
  if (n >= kEnough) {
    const auto rank =
        static_cast<std::size_t>(std::ceil(kConfidence * (static_cast<double>(n) + 1)));
    half = scores[std::min(rank, n) - 1];
  } else {
    double squares = 0;
    for (const double s : scores) squares += s * s;
    const double t = stats::student_quantile((1 + kConfidence) / 2, static_cast<double>(n));
    half = std::max(half, t * std::sqrt(squares / static_cast<double>(n)));
  }
  return std::max(half, floor);
}

/// A prediction without bound and interval.
struct Guess {
  double ns = 0;
  double distance = 0;  // weighted mean of the neighbors'
  std::size_t neighbors = 0;
  Group* group = nullptr;
};

struct Neighbor {
  double distance = 0;
  const Item* item = nullptr;
};

Guess combined(const std::vector<Neighbor>& near, const Size& size, const TypicalCost& cost) {
  // Relative to the nearest, so that a single one gives its time without rounding.
  const Item& nearest = *near.front().item;
  double weights = 0, logs = 0, distances = 0;
  for (const auto& [distance, item] : near) {
    const double w = 1 / ((distance + kNear) * (distance + kNear));
    weights += w;
    logs += w * (item->log_ns - nearest.log_ns + cost.log_of(size) - cost.log_of(item->size));
    distances += w * distance;
  }
  return {.ns = std::clamp(nearest.ns * std::exp(logs / weights), kMinNs, kMaxNs),
          .distance = distances / weights,
          .neighbors = near.size()};
}

}  // namespace

class Neighbors::Population {
 public:
  explicit Population(std::vector<MeasuredSize> measured);

  bool empty() const { return items_.empty(); }

  struct Found {
    Guess guess;
    double half = 0;  // h
  };
  /// Prediction at the finest level that has neighbors; there is one unless the population is
  /// empty.
  Found find(const Kind& kind, const Size& size);

 private:
  /// The brick to predict: asked for, or a measured one that is left out.
  struct Target {
    const Kind& kind;
    const Size& size;
    const Item* left_out = nullptr;
  };

  void add_to_groups(const Item& item);
  std::optional<Guess> guess(Level level, const Target& target);
  std::vector<Neighbor> nearest(Level level, const Group& group, const Target& target) const;
  bool allowed(Level level, const Target& target, const Item& item) const;
  TypicalCost cost_of(Level level, Group& group, bool has_macs);
  std::vector<double> scores(Level level, const std::vector<const Item*>& items);
  double half(Level level, Group& group);

  std::map<std::string, Kind, std::less<>> kinds_;
  std::vector<Item> items_;
  std::map<Key, Group> groups_;
  std::map<Level, double> halves_;  // h of the bricks of all kinds
};

namespace {

/// Keys of the groups to look through at a level, the best first.
std::vector<Key> keys(Level level, const Kind& kind, bool has_macs) {
  switch (level) {
    case Level::kKind:
      return {{level, has_macs, kind.text}};
    case Level::kKernels:
      return {{level, has_macs, kind.kernels}};
    case Level::kShared: {
      std::vector<Key> out;
      for (const std::string& name : kind.names) out.push_back({level, has_macs, name});
      return out;
    }
    case Level::kAll:
      return {{level, has_macs, {}}};
    case Level::kBytes:
      break;
  }
  return {{level, false, {}}};
}

}  // namespace

Neighbors::Population::Population(std::vector<MeasuredSize> measured) {
  std::erase_if(measured, [](const MeasuredSize& m) { return !std::isfinite(m.ns) || m.ns < 0; });
  items_.reserve(measured.size());
  for (const MeasuredSize& m : measured) {
    const Kind& kind = kinds_.try_emplace(m.size.kind, m.size.kind).first->second;
    const double ns = std::max(m.ns, 1.0);
    items_.push_back({Size(m.size), ns, std::log(ns), &kind});
  }
  std::ranges::sort(items_, {}, [](const Item& i) {
    return std::tuple(i.size.macs, i.size.bytes, i.ns, std::string_view(i.kind->text));
  });
  for (const Item& item : items_) add_to_groups(item);
  if (empty()) return;
  std::ranges::stable_sort(groups_.at({Level::kBytes, false, {}}).items, {},
                           [](const Item* i) { return i->size.log_bytes; });
}

void Neighbors::Population::add_to_groups(const Item& item) {
  for (const Level level : kLevels)
    for (Key& key : keys(level, *item.kind, item.size.has_macs()))
      groups_[std::move(key)].items.push_back(&item);
}

/// A measured brick that is left out must not be predicted from bricks of a finer level.
bool Neighbors::Population::allowed(Level level, const Target& target, const Item& item) const {
  if (target.left_out == nullptr) return true;
  switch (level) {
    case Level::kKind:
      return target.left_out != &item;
    case Level::kKernels:
      return &target.kind != item.kind;
    case Level::kShared:
      return target.kind.kernels != item.kind->kernels;
    case Level::kAll:
    case Level::kBytes:
      break;
  }
  return !share_a_kernel(target.kind, *item.kind);
}

std::vector<Neighbor> Neighbors::Population::nearest(Level level, const Group& group,
                                                     const Target& target) const {
  const bool by_bytes = level == Level::kBytes;
  const auto macs_of = [&](const Size& s) { return by_bytes ? 0 : s.log_macs; };
  const double macs = macs_of(target.size), bytes = target.size.log_bytes;
  std::vector<Neighbor> near;
  std::size_t room = kSide;
  const auto take = [&](const Item& item) {
    if (!allowed(level, target, item)) return;
    const double distance =
        std::abs(macs_of(item.size) - macs) + std::abs(item.size.log_bytes - bytes);
    near.push_back({distance, &item});
    --room;
  };
  const auto middle = std::ranges::lower_bound(
      group.items, std::tuple(macs, bytes), {},
      [&](const Item* i) { return std::tuple(macs_of(i->size), i->size.log_bytes); });
  for (auto i = middle; i != group.items.begin() && room > 0;) take(**--i);
  room = kSide;
  for (auto i = middle; i != group.items.end() && room > 0; ++i) take(**i);
  std::ranges::sort(near, {}, [](const Neighbor& n) { return std::tuple(n.distance, n.item); });
  std::size_t most = kNeighbors;
  if (level == Level::kKind && !near.empty() && near.front().distance <= 0)
    most = static_cast<std::size_t>(
        std::ranges::count_if(near, [](const Neighbor& n) { return n.distance <= 0; }));
  near.resize(std::min(near.size(), most));
  return near;
}

TypicalCost Neighbors::Population::cost_of(Level level, Group& group, bool has_macs) {
  if (level == Level::kBytes || !has_macs) return {};
  Group& of = group.items.size() >= kMinFitted ? group : groups_.at({Level::kAll, has_macs, {}});
  if (!of.cost) of.cost = fitted_cost(of.items);
  return *of.cost;
}

std::optional<Guess> Neighbors::Population::guess(Level level, const Target& target) {
  const bool has_macs = target.size.has_macs();
  for (const Key& key : keys(level, target.kind, has_macs)) {
    const auto found = groups_.find(key);
    if (found == groups_.end()) continue;
    Group& group = found->second;
    const std::vector<Neighbor> near = nearest(level, group, target);
    if (near.empty()) continue;
    Guess out = combined(near, target.size, cost_of(level, group, has_macs));
    out.group = &group;
    return out;
  }
  return std::nullopt;
}

std::vector<double> Neighbors::Population::scores(Level level,
                                                  const std::vector<const Item*>& items) {
  std::vector<double> out;
  for_sample(items, kMaxScores, [&](const Item& item) {
    if (const auto g = guess(level, {*item.kind, item.size, &item}))
      out.push_back(std::abs(item.log_ns - std::log(g->ns)) / (1 + g->distance));
  });
  return out;
}

double Neighbors::Population::half(Level level, Group& group) {
  if (group.half) return *group.half;
  const std::vector<double> own = scores(level, group.items);
  if (own.size() >= kEnough) return *(group.half = half_of(own));
  const auto [all, missing] = halves_.try_emplace(level);
  if (missing) all->second = half_of(scores(level, groups_.at({Level::kBytes, false, {}}).items));
  group.half = own.empty() ? all->second : std::max(all->second, std::ranges::max(own));
  return *group.half;
}

Neighbors::Population::Found Neighbors::Population::find(const Kind& kind, const Size& size) {
  for (const Level level : kLevels)
    if (const auto g = guess(level, {kind, size})) return {*g, half(level, *g->group)};
  return {};
}

Neighbors::Neighbors(std::vector<MeasuredSize> measured)
    : population_(std::make_unique<Population>(std::move(measured))) {}
Neighbors::Neighbors(Neighbors&&) noexcept = default;
Neighbors& Neighbors::operator=(Neighbors&&) noexcept = default;
Neighbors::~Neighbors() = default;

std::optional<Prediction> Neighbors::predict(const BrickSize& size, double bound_ns) const {
  if (population_->empty()) return std::nullopt;
  const auto [guess, half] = population_->find(Kind(size.kind), Size(size));
  const double bound = std::isfinite(bound_ns) ? std::max(bound_ns, 0.0) : 0;
  const double ns = std::max(bound, guess.ns);
  const double factor = std::exp(std::min(half * (1 + guess.distance), kMaxLog));
  return Prediction{.ns = ns,
                    .ci = {std::max(bound, ns / factor), std::min(ns * factor, kMaxNs)},
                    .neighbors = guess.neighbors};
}

}  // namespace ridge::bricks
