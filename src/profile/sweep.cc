#include "profile/sweep.h"

#include <algorithm>
#include <cstdlib>

namespace ridge::profile {
namespace {

constexpr double kWorthDoubling = 1.05;

std::int64_t threads_of(const Profile& p) {
  const auto it = p.subject.options.find("threads");
  return it == p.subject.options.end() ? 1 : std::strtoll(it->second.c_str(), nullptr, 10);
}

}  // namespace

std::string point_label(const analysis::BoundSizes& sizes, std::int64_t threads) {
  std::string label;
  for (const auto& [size, binding] : sizes)
    label += size + "=" + std::to_string(binding.value) + ", ";
  return label + std::to_string(threads) + (threads == 1 ? " thread" : " threads");
}

std::vector<SweepPoint> Sweep::points() const {
  std::vector<SweepPoint> out;
  for (const Profile& p : profiles)
    out.push_back({point_label(p.subject.bindings, threads_of(p)), p.batch, threads_of(p),
                   p.latency.ns, p.items_per_s});
  return out;
}

std::optional<std::int64_t> Sweep::knee_batch() const {
  const std::vector<SweepPoint> all = points();
  std::optional<std::int64_t> knee;
  for (const SweepPoint& a : all)
    for (const SweepPoint& b : all) {
      const bool doubled = b.batch == 2 * a.batch && b.threads == a.threads;
      if (doubled && b.items_per_s <= kWorthDoubling * a.items_per_s)
        knee = std::min(knee.value_or(a.batch), a.batch);
    }
  return knee;
}

}  // namespace ridge::profile
