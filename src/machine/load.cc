// SPDX-License-Identifier: Apache-2.0
#include "machine/load.h"

#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "base/clock.h"
#include "base/number.h"

namespace ridge::machine {
namespace {

Nanos spent(int who) {
  rusage usage{};
  ::getrusage(who, &usage);
  const auto nanos = [](const timeval& t) {
    return std::int64_t{t.tv_sec} * 1'000'000'000 + std::int64_t{t.tv_usec} * 1000;
  };
  return {nanos(usage.ru_utime) + nanos(usage.ru_stime)};
}

}  // namespace

void parse_stat(std::string_view text, std::int64_t ticks_per_second, LoadSample& into) {
  const auto line = field(text, "cpu");
  if (!line || ticks_per_second <= 0) return;
  // Fields: user nice system idle iowait irq softirq steal; guest time is included in user.
  std::array<std::int64_t, 8> ticks{};
  std::string_view rest = *line;
  for (std::int64_t& t : ticks) {
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    const std::string_view word = rest.substr(0, rest.find(' '));
    const auto value = whole_number(word);
    if (!value) return;
    t = *value;
    rest.remove_prefix(word.size());
  }
  const double second = static_cast<double>(ticks_per_second);
  into.busy = static_cast<double>(ticks[0] + ticks[1] + ticks[2] + ticks[5] + ticks[6]) / second;
  into.stolen = static_cast<double>(ticks[7]) / second;
  into.known = true;
}

LoadSample sample_load(const SystemFiles& files) {
  LoadSample out;
  out.at = steady_clock().now();
  out.own = spent(RUSAGE_SELF) + spent(RUSAGE_CHILDREN);
  parse_stat(files.read("/proc/stat").value_or(""), ::sysconf(_SC_CLK_TCK), out);
  return out;
}

Load load_between(const LoadSample& before, const LoadSample& after) {
  const double span = seconds(after.at - before.at);
  if (!before.known || !after.known || span <= 0) return {};
  const double own = seconds(after.own - before.own);
  return {std::max(0.0, (after.busy - before.busy - own) / span),
          std::max(0.0, (after.stolen - before.stolen) / span)};
}

}  // namespace ridge::machine
