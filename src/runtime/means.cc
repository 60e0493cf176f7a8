// SPDX-License-Identifier: Apache-2.0
#include "runtime/means.h"

#include <algorithm>
#include <limits>

namespace ridge::runtime {
namespace {

/// Bounds of T at one reading.
struct Gate {
  double at = 0, low = 0, high = 0;
};

std::vector<Gate> gates_of(const std::vector<MeanReading>& readings) {
  std::vector<Gate> gates;
  for (const MeanReading& r : readings) {
    const auto n = static_cast<double>(r.executions);
    const double low = n * static_cast<double>(r.mean_us);
    gates.push_back({n, low, low + n - 1});
  }
  // T never decreases.
  for (std::size_t i = 1; i < gates.size(); ++i)
    gates[i].low = std::max(gates[i].low, gates[i - 1].low);
  for (std::size_t i = gates.size(); i-- > 1;)
    gates[i - 1].high = std::min(gates[i - 1].high, gates[i].high);
  // Contradictory readings (a counter that wrapped) permit no course: take the middle.
  for (Gate& gate : gates)
    if (gate.low > gate.high) gate.low = gate.high = (gate.low + gate.high) / 2;
  // At both ends, T is set to the middle of its bounds.
  for (Gate* end : {&gates.front(), &gates.back()})
    end->low = end->high = (end->low + end->high) / 2;
  return gates;
}

/// Next gate at which a straight course from (`from`, `height`) must bend, and the height there.
std::pair<std::size_t, double> next_bend(const std::vector<Gate>& gates, std::size_t from,
                                         double height) {
  double least = -std::numeric_limits<double>::infinity(), most = -least;
  std::size_t min_at = from, max_at = from;
  for (std::size_t i = from + 1; i < gates.size(); ++i) {
    const double run = gates[i].at - gates[from].at;
    const double low = (gates[i].low - height) / run, high = (gates[i].high - height) / run;
    if (low > most) return {max_at, gates[max_at].high};
    if (high < least) return {min_at, gates[min_at].low};
    if (low >= least) least = low, min_at = i;
    if (high <= most) most = high, max_at = i;
  }
  return {gates.size() - 1, gates.back().low};
}

}  // namespace

// Example: a layer takes 10, 12, 12 us, so the means are 10, 22 / 2 = 11, 34 / 3 -> 11. Gates n *
// mean to n * mean + n - 1: T(1) = 10, T(2) in [22, 23], T(3) in [33, 35], halved to 34. From (1,
// 10) the slopes through gate 2 are 12 to 13, and to (3, 34) exactly 12: no bend until the end. T =
// 10, 22, 34, so the runs took 10, 12 and 12 us (plus 0.5 each, see resolve).
std::vector<double> totals_of(const std::vector<MeanReading>& readings) {
  std::vector<double> totals(readings.size(), 0);
  if (readings.empty()) return totals;
  const std::vector<Gate> gates = gates_of(readings);
  totals[0] = gates[0].low;
  for (std::size_t at = 0; at + 1 < gates.size();) {
    const auto [next, height] = next_bend(gates, at, totals[at]);
    const double slope = (height - totals[at]) / (gates[next].at - gates[at].at);
    for (std::size_t i = at + 1; i < next; ++i)
      totals[i] = totals[at] + slope * (gates[i].at - gates[at].at);
    totals[next] = height;
    at = next;
  }
  return totals;
}

namespace {

constexpr double kMicrosecond = 1000;
constexpr double kCut = 0.5;  // mean loss from truncation to whole microseconds

struct Course {
  std::vector<MeanReading> readings;
  std::vector<KernelEvent*> events;
  // By event: index of its reading; the reading before it is at the start of the execution.
  std::vector<std::size_t> after;
};

void add(Course& course, KernelEvent& event) {
  const std::int64_t n = event.executions;
  const auto read = [&](std::int64_t executions, std::int64_t mean_ns) {
    if (executions < 1) return;
    if (!course.readings.empty() && course.readings.back().executions >= executions) return;
    course.readings.push_back({executions, mean_ns / 1000});
  };
  read(n - 1, event.before_ns);
  read(n, event.duration_ns);
  course.events.push_back(&event);
  course.after.push_back(course.readings.size() - 1);
}

void resolve(const Course& course) {
  const std::vector<double> totals = totals_of(course.readings);
  const bool took_time = course.readings.back().mean_us > 0;
  for (std::size_t i = 0; i < course.events.size(); ++i) {
    KernelEvent& event = *course.events[i];
    const std::size_t at = course.after[i];
    const double before = at > 0 ? totals[at - 1] : 0;
    const double took = took_time ? totals[at] - before + kCut : 0;
    event.duration_ns = event.exclusive_ns = static_cast<std::int64_t>(took * kMicrosecond);
    event.executions = event.before_ns = 0;
  }
}

}  // namespace

void resolve_means(Measurement& measurement) {
  std::vector<Course> courses(measurement.kernels.size());
  for (ProfiledRun& run : measurement.profiled)
    for (KernelEvent& event : run.events)
      if (event.executions > 0 && event.kernel < courses.size()) add(courses[event.kernel], event);
  for (const Course& course : courses)
    if (!course.events.empty()) resolve(course);
}

}  // namespace ridge::runtime
