// SPDX-License-Identifier: Apache-2.0
#include "profile/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <compare>
#include <cstdlib>
#include <map>
#include <set>

#include "base/text.h"
#include "stats/change.h"

namespace ridge::profile {
namespace {

constexpr double kWorthDoubling = 1.05;

std::int64_t threads_of(const Profile& p) { return p.subject.threads.value_or(1); }

struct Axis {
  SweepAxis::Kind kind = SweepAxis::Kind::kThreads;
  std::string size;
  auto operator<=>(const Axis&) const = default;
};
const Axis kRuntime{SweepAxis::Kind::kRuntime, ""}, kSweptThreads{SweepAxis::Kind::kThreads, ""};

/// Coordinates of a profile, one per axis; the runtime is represented by its index among the
/// runtimes of the sweep.
using AxisPlace = std::map<Axis, std::int64_t>;

class Places {
 public:
  explicit Places(const std::vector<Profile>& profiles) {
    for (const Profile& p : profiles)
      if (std::ranges::find(runtimes_, p.subject.runtime) == runtimes_.end())
        runtimes_.push_back(p.subject.runtime);
    for (const Profile& p : profiles)
      for (const auto& [axis, value] : of(p)) varying_[axis].insert(value);
    std::erase_if(varying_, [](const auto& axis) { return axis.second.size() < 2; });
  }

  AxisPlace of(const Profile& p) const {
    const auto runtime = std::ranges::find(runtimes_, p.subject.runtime) - runtimes_.begin();
    AxisPlace out = {{kRuntime, runtime}, {kSweptThreads, threads_of(p)}};
    for (const auto& [size, binding] : p.subject.bindings)
      out[{SweepAxis::Kind::kSize, size}] = binding.value;
    return out;
  }

  /// Axes with more than one value, each with its values.
  const std::map<Axis, std::set<std::int64_t>>& varying() const { return varying_; }

  std::string text(const Axis& axis, std::int64_t value) const {
    if (axis == kRuntime) return runtimes_[static_cast<std::size_t>(value)];
    return axis == kSweptThreads ? counted(value, "thread")
                                 : fmt::format("{}={}", axis.size, value);
  }

 private:
  std::vector<std::string> runtimes_;
  std::map<Axis, std::set<std::int64_t>> varying_;
};

std::vector<std::vector<double>> runs_of(const Profile& p) {
  std::vector<std::vector<double>> out;
  for (const Process& process : p.latency.processes)
    out.push_back(stats::as_doubles(process.samples_ns));
  return out;
}

/// Returns the throughput of `p` relative to `base`'s.
SweepAxis::Step step_from(const Profile& base, const Profile& p) {
  const double items = static_cast<double>(p.batch) / static_cast<double>(base.batch);
  const stats::Change times(runs_of(p), runs_of(base), stats::Runs::kApart);
  SweepAxis::Step out{.ratio = {p.items_per_s / base.items_per_s}};
  const auto ci = times.ratio_interval(0.95);
  if (ci) out.ratio.value = items * times.ratio();
  if (!ci)
    out.reason = "too few runs to tell";
  else if (const stats::Interval of_items = {items * ci->lo, items * ci->hi};
           stats::tells_nothing(of_items))
    out.reason = "too few processes to tell";
  else
    out.ratio.interval = of_items;
  return out;
}

}  // namespace

std::string text(const SweepAxis& axis) {
  std::string out, last;
  for (const SweepAxis::Step& s : axis.steps) {
    if (s.value != last) out += fmt::format("{}{}: ", out.empty() ? "" : "; ", s.value);
    if (s.value == last) out += ", ";
    out += fmt::format("{:.2f} x", s.ratio.value);
    if (last.empty()) out += " the throughput of " + axis.base;
    out += s.ratio.interval ? fmt::format(" [{:.2f}, {:.2f}]", s.ratio.low(), s.ratio.high())
                            : " (" + s.reason + ")";
    if (!s.others.empty()) out += " with " + s.others;
    last = s.value;
  }
  return out + ".";
}

std::string sizes_text(const analysis::BoundSizes& sizes) {
  std::string out;
  for (const auto& [name, binding] : sizes)
    out += fmt::format("{}{}={}", out.empty() ? "" : ", ", name, binding.value);
  return out;
}

std::string point_label(const analysis::BoundSizes& sizes, std::int64_t threads) {
  return fmt::format("{}{}{} {}", sizes_text(sizes), sizes.empty() ? "" : ", ", threads,
                     threads == 1 ? "thread" : "threads");
}

std::vector<SweepPoint> Sweep::points() const {
  std::vector<SweepPoint> out;
  const bool several = Places(profiles).varying().contains(kRuntime);
  for (const Profile& p : profiles)
    out.push_back(
        {(several ? p.subject.runtime + ", " : "") + point_label(p.subject.bindings, threads_of(p)),
         p.subject.runtime, p.batch, threads_of(p), p.latency.ns, p.items_per_s});
  return out;
}

std::optional<std::int64_t> Sweep::knee_batch() const {
  const std::vector<SweepPoint> all = points();
  std::optional<std::int64_t> knee;
  for (const SweepPoint& a : all)
    for (const SweepPoint& b : all) {
      const bool doubled =
          b.batch == 2 * a.batch && b.threads == a.threads && b.runtime == a.runtime;
      if (doubled && b.items_per_s <= kWorthDoubling * a.items_per_s)
        knee = std::min(knee.value_or(a.batch), a.batch);
    }
  return knee;
}

std::vector<SweepAxis> Sweep::axes() const {
  const Places places(profiles);
  std::vector<SweepAxis> out;
  for (const auto& [axis, of_axis] : places.varying()) {
    const std::int64_t least = *of_axis.begin();
    SweepAxis found{axis.kind,
                    axis.size,
                    axis == kSweptThreads ? std::to_string(least) : places.text(axis, least),
                    {}};
    for (const std::int64_t value : of_axis)
      for (const Profile& p : profiles) {
        AxisPlace place = places.of(p);
        if (value == least || place[axis] != value) continue;
        place[axis] = least;
        const auto base =
            std::ranges::find_if(profiles, [&](const Profile& b) { return places.of(b) == place; });
        if (base == profiles.end()) continue;
        found.steps.push_back(step_from(*base, p));
        found.steps.back().value = places.text(axis, value);
        std::vector<std::string> others;
        for (const auto& [other, unused] : places.varying())
          if (other != axis) others.push_back(places.text(other, place[other]));
        found.steps.back().others = fmt::format("{}", fmt::join(others, ", "));
      }
    if (!found.steps.empty()) out.push_back(std::move(found));
  }
  return out;
}

std::vector<std::string> Sweep::findings() const {
  std::vector<std::string> out;
  for (const SweepAxis& axis : axes()) out.push_back(text(axis));
  if (const auto knee = knee_batch())
    out.push_back(fmt::format("Doubling the batch from {} adds at most 5 % throughput.", *knee));
  return out;
}

}  // namespace ridge::profile
