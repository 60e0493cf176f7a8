#include "cli/bench_budget.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace ridge::cli {
namespace {

/// A process that measures for less only makes its least number of runs.
constexpr double kLeastSeconds = 0.05;
constexpr double kLongestSeconds = 7 * 86'400;

double seconds_in(char unit) {
  switch (unit) {
    case 's':
      return 1;
    case 'm':
      return 60;
    case 'h':
      return 3600;
    default:
      return 0;
  }
}

}  // namespace

Result<double> parse_duration(const std::string& text) {
  const Error wrong =
      usage_error("RIDGE-CLI-0034", fmt::format("--budget '{}' is no duration", text))
          .hint("write --budget 90s, --budget 10m or --budget 1h30m");
  double total = 0;
  const char *at = text.data(), *end = at + text.size();
  if (at == end) return wrong;
  while (at != end) {
    std::uint32_t number = 0;
    const auto [next, error] = std::from_chars(at, end, number);
    if (error != std::errc() || next == end || seconds_in(*next) == 0) return wrong;
    total += number * seconds_in(*next);
    at = next + 1;
  }
  if (total <= 0 || total > kLongestSeconds) return wrong;
  return total;
}

std::optional<double> BenchBudget::next(double elapsed_s) const {
  const double left = total_s_ - elapsed_s;
  if (left <= 0 || points_ <= 0) return std::nullopt;
  const double overhead = measured_ > 0 ? overhead_s_ / static_cast<double>(measured_) : 0;
  const double share = left / static_cast<double>(points_) - overhead;
  return std::max(kLeastSeconds, share / processes_);
}

void BenchBudget::done(double wall_s, double given_s) {
  overhead_s_ += std::max(0.0, wall_s - given_s * processes_);
  ++measured_;
  --points_;
}

}  // namespace ridge::cli
