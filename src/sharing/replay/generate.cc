// SPDX-License-Identifier: Apache-2.0
#include "sharing/replay/generate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

namespace ridge::sharing {
namespace {

constexpr std::int64_t kNanosOfHour = 3'600'000'000'000;
constexpr std::int64_t kHoursOfDay = 24;

/// Rate of an hour of the day, in units of which kMeanRate are the mean.
constexpr std::int64_t rate_of(std::int64_t hour) {
  constexpr std::int64_t kLowest = 4;  // o'clock
  const std::int64_t apart = hour < kLowest ? kLowest - hour : hour - kLowest;
  return 6 + 3 * std::min(apart, kHoursOfDay - apart);
}
constexpr std::int64_t kMeanRate = 24;

Result<void> check_generator(const GeneratorSpec& spec) {
  const auto bad = [](std::string message, std::string hint) {
    return usage_error("RIDGE-SHARE-0204", std::move(message)).hint(std::move(hint));
  };
  if (spec.models < 1 || spec.models > kMostModels)
    return bad(fmt::format("a trace of {} models", spec.models),
               fmt::format("choose 1 to {}", kMostModels));
  if (spec.requests < 1 || spec.requests > kMostRequests)
    return bad(fmt::format("a trace of {} requests", spec.requests),
               fmt::format("choose 1 to {}", kMostRequests));
  if (!(spec.share > 0 && spec.share <= 1))
    return bad(fmt::format("a share of {} of the models", spec.share), "choose 1% to 100%");
  return {};
}

}  // namespace

std::int64_t moment_of_day(std::int64_t ns) {
  constexpr std::int64_t kDay = kNanosOfHour * kHoursOfDay;
  const std::int64_t midnight = ns - ns % kDay;
  std::int64_t left = (ns % kDay) * kMeanRate;  // arrivals before the moment, in its unit
  for (std::int64_t hour = 0; hour < kHoursOfDay; ++hour) {
    const std::int64_t of_hour = rate_of(hour) * kNanosOfHour;
    if (left < of_hour) return midnight + hour * kNanosOfHour + left / rate_of(hour);
    left -= of_hour;
  }
  return midnight + kDay;
}

Result<Trace> generate(const GeneratorSpec& spec) {
  TRY(check_generator(spec));
  const auto used = std::max(
      static_cast<std::uint32_t>(std::ceil(spec.share * static_cast<double>(spec.models) - 1e-9)),
      1U);
  Popularity popularity = TRY(Popularity::make(spec.popularity, used, spec.seed));
  const std::unique_ptr<scenario::Arrivals> arrivals =
      TRY(scenario::make_arrivals(spec.arrivals, spec.seed + 1));
  Trace out;
  for (std::uint32_t i = 0; i < used; ++i) out.models.push_back(fmt::format("model-{}", i));
  out.requests.reserve(spec.requests);
  while (out.requests.size() < spec.requests) {
    const std::int64_t at = arrivals->next();
    if (at == scenario::kNever) break;
    out.requests.push_back(
        {.at_ns = spec.hours == Hours::kDays ? moment_of_day(at) : at, .model = popularity.next()});
  }
  return out;
}

}  // namespace ridge::sharing
