// SPDX-License-Identifier: Apache-2.0
#include "evaluation/load/arrivals_text.h"

#include <fmt/format.h>

#include <vector>

#include "base/list.h"
#include "base/number.h"
#include "base/trim.h"
#include "scenario/describe.h"

namespace ridge::evaluation {
namespace {

using scenario::ArrivalProcess;

struct Numbers {
  std::string operator()(const scenario::Constant& a) const { return fmt::format("{}", a.rate); }
  std::string operator()(const scenario::Poisson& a) const { return fmt::format("{}", a.rate); }
  std::string operator()(const scenario::Gamma& a) const {
    return fmt::format("{}, {}", a.rate, a.shape);
  }
  std::string operator()(const scenario::Bursty& a) const {
    return fmt::format("{}, {}, {}, {}", a.quiet_rate, a.burst_rate, a.quiet_s, a.burst_s);
  }
  std::string operator()(const scenario::Replay& a) const {
    return fmt::format("{}, {}", a.speed, a.rounds);
  }
};

/// Numbers separated by commas; empty if one of them is none.
std::vector<double> numbers_of(std::string_view list) {
  std::vector<double> out;
  for (const std::string_view part : split(list)) {
    const auto number = finite_number(trimmed(part));
    if (!number) return {};
    out.push_back(*number);
  }
  return out;
}

std::optional<ArrivalProcess> process_of(std::string_view kind, const std::vector<double>& n) {
  if (kind == "constant" && n.size() == 1) return scenario::Constant{n[0]};
  if (kind == "poisson" && n.size() == 1) return scenario::Poisson{n[0]};
  if (kind == "gamma" && n.size() == 2) return scenario::Gamma{n[0], n[1]};
  if (kind == "bursty" && n.size() == 4) return scenario::Bursty{n[0], n[1], n[2], n[3]};
  if (kind == "replay" && n.size() == 2 && n[1] >= 1 && n[1] < 0x1p32)
    return scenario::Replay{
        .times_ns = {}, .speed = n[0], .rounds = static_cast<std::uint32_t>(n[1])};
  return std::nullopt;
}

}  // namespace

std::string arrivals_text(const ArrivalProcess& process) {
  return fmt::format("{}({})", name(process), std::visit(Numbers(), process));
}

std::optional<ArrivalProcess> read_arrivals(std::string_view text) {
  const std::size_t open = text.find('(');
  if (open == std::string_view::npos || !text.ends_with(')')) return std::nullopt;
  return process_of(text.substr(0, open),
                    numbers_of(text.substr(open + 1, text.size() - open - 2)));
}

}  // namespace ridge::evaluation
