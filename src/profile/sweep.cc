#include "profile/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

#include "base/text.h"
#include "stats/change.h"

namespace ridge::profile {
namespace {

constexpr double kWorthDoubling = 1.05;

std::int64_t threads_of(const Profile& p) {
  const auto it = p.subject.options.find("threads");
  return it == p.subject.options.end() ? 1 : std::strtoll(it->second.c_str(), nullptr, 10);
}

/// By name of the size; kThreads has no name, so it is the first.
using Place = std::map<std::string, std::int64_t>;
constexpr const char* kThreads = "";

Place place_of(const Profile& p) {
  Place out = {{kThreads, threads_of(p)}};
  for (const auto& [size, binding] : p.subject.bindings) out[size] = binding.value;
  return out;
}

std::string value_text(const std::string& axis, std::int64_t value) {
  return axis == kThreads ? counted(value, "thread") : fmt::format("{}={}", axis, value);
}

std::map<std::string, std::set<std::int64_t>> varying(const std::vector<Profile>& profiles) {
  std::map<std::string, std::set<std::int64_t>> out;
  for (const Profile& p : profiles)
    for (const auto& [axis, value] : place_of(p)) out[axis].insert(value);
  std::erase_if(out, [](const auto& axis) { return axis.second.size() < 2; });
  return out;
}

std::vector<std::vector<double>> runs_of(const Profile& p) {
  std::vector<std::vector<double>> out;
  for (const Process& process : p.latency.processes)
    out.push_back(stats::as_doubles(process.samples_ns));
  return out;
}

/// The throughput of `p` over that of `base`.
SweepAxis::Step step_from(const Profile& base, const Profile& p) {
  const double items = static_cast<double>(p.batch) / static_cast<double>(base.batch);
  const stats::Change times(runs_of(p), runs_of(base), stats::Runs::kApart);
  SweepAxis::Step out{.ratio = p.items_per_s / base.items_per_s};
  if (const auto ci = times.ratio_interval(0.95)) {
    out.ratio = items * times.ratio();
    out.interval = {items * ci->lo, items * ci->hi};
  }
  return out;
}

std::string text(const SweepAxis& axis) {
  std::string out, last;
  for (const SweepAxis::Step& s : axis.steps) {
    if (s.value != last) out += fmt::format("{}{}: ", out.empty() ? "" : "; ", s.value);
    if (s.value == last) out += ", ";
    out += fmt::format("{:.2f} x", s.ratio);
    if (last.empty()) out += " the throughput of " + axis.base;
    out += !s.interval ? " (too few runs to tell)"
           : stats::tells_nothing(*s.interval)
               ? " (too few processes to tell)"
               : fmt::format(" [{:.2f}, {:.2f}]", s.interval->lo, s.interval->hi);
    if (!s.others.empty()) out += " with " + s.others;
    last = s.value;
  }
  return out + ".";
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

std::vector<SweepAxis> Sweep::axes() const {
  const auto values = varying(profiles);
  std::vector<SweepAxis> out;
  for (const auto& [axis, of_axis] : values) {
    const std::int64_t least = *of_axis.begin();
    SweepAxis found{axis == kThreads ? std::to_string(least) : value_text(axis, least), {}};
    for (const std::int64_t value : of_axis)
      for (const Profile& p : profiles) {
        Place place = place_of(p);
        if (value == least || place[axis] != value) continue;
        place[axis] = least;
        const auto base = std::find_if(profiles.begin(), profiles.end(),
                                       [&](const Profile& b) { return place_of(b) == place; });
        if (base == profiles.end()) continue;
        found.steps.push_back(step_from(*base, p));
        found.steps.back().value = value_text(axis, value);
        std::vector<std::string> others;
        for (const auto& [other, unused] : values)
          if (other != axis) others.push_back(value_text(other, place[other]));
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
