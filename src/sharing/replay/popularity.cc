// SPDX-License-Identifier: Apache-2.0
#include "sharing/replay/popularity.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>

#include "scenario/exact_random.h"

namespace ridge::sharing {
namespace {

/// Share of the ranks at which an exponential, Weibull or Poisson distribution has its scale.
constexpr double kScaleOfRanks = 0.2;

/// ln(i), i >= 1: from the logarithm of 1 / i in units of 2^-64, at most 2^-40 off for i < 2^20.
double log_of(std::uint64_t i) {
  if (i <= 1) return 0;
  const std::uint64_t inverse = (~std::uint64_t{0}) / i;
  return static_cast<double>(scenario::negative_log(inverse)) * 0x1.0p-57;
}

/// exp(x) for any sign of x.
double exp_of(double x) {
  return x <= 0 ? scenario::exact_exp_minus(-x) : 1 / scenario::exact_exp_minus(x);
}

/// i^-power.
double power_of(std::uint64_t i, double power) {
  return scenario::exact_exp_minus(power * log_of(i));
}

/// exp(-x^shape) where x = i / (kScaleOfRanks n).
double weibull_tail(std::uint64_t i, std::uint64_t n, double shape) {
  if (i == 0) return 1;
  constexpr std::uint64_t kInverseScale = 5;
  static_assert(kInverseScale * kScaleOfRanks == 1);
  return scenario::exact_exp_minus(exp_of(shape * (log_of(kInverseScale * i) - log_of(n))));
}

/// Outward from the rank with most weight, so that nothing overflows.
std::vector<double> poisson_weights(double mean, std::uint32_t n) {
  std::vector<double> out(n, 0);
  const auto mode = static_cast<std::size_t>(std::min(mean, static_cast<double>(n - 1)));
  out[mode] = 1;
  for (std::size_t k = mode; k + 1 < n; ++k)
    out[k + 1] = out[k] * mean / static_cast<double>(k + 1);
  for (std::size_t k = mode; k > 0; --k) out[k - 1] = out[k] * static_cast<double>(k) / mean;
  return out;
}

struct Limits {
  double least, most;
};

Limits limits_of(PopularityKind kind) {
  switch (kind) {
    case PopularityKind::kUniform:
      break;
    case PopularityKind::kZipf:
    case PopularityKind::kPareto:
      return {0.01, 10};
    case PopularityKind::kWeibull:
      return {0.1, 10};
    case PopularityKind::kExponential:
    case PopularityKind::kPoisson:
      return {0.1, 1e6};
  }
  return {0, 0};
}

double default_parameter(PopularityKind kind, std::uint32_t n) {
  if (kind == PopularityKind::kWeibull) return 1.5;
  if (kind == PopularityKind::kExponential || kind == PopularityKind::kPoisson)
    return std::max(kScaleOfRanks * n, 0.1);
  return 1;
}

double weight(PopularityKind kind, double parameter, std::uint64_t rank, std::uint64_t n) {
  switch (kind) {
    case PopularityKind::kZipf:
      return power_of(rank, parameter);
    case PopularityKind::kPareto:
      return power_of(rank, parameter) - power_of(rank + 1, parameter);
    case PopularityKind::kExponential:
      return scenario::exact_exp_minus(static_cast<double>(rank - 1) / parameter);
    case PopularityKind::kWeibull:
      return weibull_tail(rank - 1, n, parameter) - weibull_tail(rank, n, parameter);
    case PopularityKind::kUniform:
    case PopularityKind::kPoisson:
      break;
  }
  return 1;
}

}  // namespace

std::string popularity_text(const PopularitySpec& spec) {
  return spec.parameter ? fmt::format("{}:{}", word(spec.kind), *spec.parameter)
                        : std::string(word(spec.kind));
}

Result<std::vector<double>> popularity_weights(const PopularitySpec& spec, std::uint32_t n) {
  const Limits limits = limits_of(spec.kind);
  const double parameter = spec.parameter.value_or(default_parameter(spec.kind, n));
  if (spec.parameter && !(parameter >= limits.least && parameter <= limits.most)) {
    Error fault = usage_error("RIDGE-SHARE-0206",
                              fmt::format("the parameter of {} is {}", word(spec.kind), parameter));
    return limits.most > 0
               ? std::move(fault).hint(fmt::format("choose {} to {}", limits.least, limits.most))
               : std::move(fault).hint("it takes none");
  }
  if (spec.kind == PopularityKind::kPoisson) return poisson_weights(parameter, n);
  std::vector<double> out(n);
  for (std::uint32_t i = 0; i < n; ++i)
    out[i] = std::max(weight(spec.kind, parameter, std::uint64_t{i} + 1, n), 0.0);
  return out;
}

Result<Popularity> Popularity::make(const PopularitySpec& spec, std::uint32_t n,
                                    std::uint64_t seed) {
  std::vector<double> shares = TRY(popularity_weights(spec, n));
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  for (double& share : shares) share *= n / sum;  // of mean 1
  stats::Random random(seed);
  std::vector<std::uint32_t> models(n);
  std::iota(models.begin(), models.end(), 0U);
  stats::shuffle(models, random);
  // A cell with less than its share is filled up from one with more (Vose).
  std::vector<Cell> cells(n);
  std::vector<std::uint32_t> small, large;
  for (std::uint32_t i = 0; i < n; ++i) (shares[i] < 1 ? small : large).push_back(i);
  while (!small.empty() && !large.empty()) {
    const std::uint32_t low = small.back(), high = large.back();
    small.pop_back();
    cells[low] = {.share = shares[low], .model = models[low], .other = models[high]};
    shares[high] -= 1 - shares[low];
    if (shares[high] < 1) {
      large.pop_back();
      small.push_back(high);
    }
  }
  for (const std::vector<std::uint32_t>* rest : {&small, &large})
    for (const std::uint32_t i : *rest)
      cells[i] = {.share = 1, .model = models[i], .other = models[i]};
  return Popularity(std::move(cells), random);
}

}  // namespace ridge::sharing
