// SPDX-License-Identifier: Apache-2.0
#include "accuracy/divergence.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "accuracy/fault.h"

namespace ridge::accuracy {
namespace {

constexpr const char* kDivergence = "divergence of outputs";

void count(float value, NotFinite& into) {
  into.nan += std::isnan(value) ? 1 : 0;
  into.infinite += std::isinf(value) ? 1 : 0;
}

void raise(LargestDifference& largest, double value, std::size_t sample, std::size_t index) {
  if (value > largest.value) largest = {value, sample, index};
}

bool all_nan(std::span<const float> scores) {
  return std::all_of(scores.begin(), scores.end(), [](float s) { return std::isnan(s); });
}

/// The class of rank 0: of equal scores the lower number; NaN ranks behind all numbers.
std::size_t top_class(std::span<const float> scores) {
  std::size_t top = 0;
  for (std::size_t c = 1; c < scores.size(); ++c)
    if (scores[c] > scores[top] || (std::isnan(scores[top]) && !std::isnan(scores[c]))) top = c;
  return top;
}

/// Logarithms of a distribution; empty if the scores are none.
using Logarithms = std::vector<double>;

Logarithms of_logits(std::span<const float> logits) {
  double largest = -std::numeric_limits<double>::infinity();
  for (const float l : logits) {
    if (std::isnan(l)) return {};
    largest = std::max(largest, double{l});
  }
  if (!std::isfinite(largest)) return {};
  double sum = 0;
  for (const float l : logits) sum += std::exp(double{l} - largest);
  Logarithms logarithms;
  for (const float l : logits) logarithms.push_back(double{l} - largest - std::log(sum));
  return logarithms;
}

Logarithms of_probabilities(std::span<const float> probabilities) {
  double sum = 0;
  for (const float p : probabilities) {
    if (!std::isfinite(p) || p < 0) return {};
    sum += p;
  }
  if (sum == 0) return {};
  Logarithms logarithms;
  for (const float p : probabilities) logarithms.push_back(std::log(double{p} / sum));
  return logarithms;
}

/// Sum of p ln(p / q), at least 0 (rounding can bring the sum of equal distributions below).
double kullback_leibler(const Logarithms& p, const Logarithms& q) {
  double sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i)
    if (std::isfinite(p[i])) sum += std::exp(p[i]) * (p[i] - q[i]);
  return std::max(sum, 0.0);
}

double jensen_shannon(const Logarithms& p, const Logarithms& q) {
  Logarithms middle;
  for (std::size_t i = 0; i < p.size(); ++i)
    middle.push_back(std::log((std::exp(p[i]) + std::exp(q[i])) / 2));
  // Where both probabilities round to 0, so does their mean; they contribute nothing.
  for (std::size_t i = 0; i < p.size(); ++i)
    if (!std::isfinite(middle[i])) middle[i] = std::max(p[i], q[i]);
  return (kullback_leibler(p, middle) + kullback_leibler(q, middle)) / 2;
}

}  // namespace

Result<void> Divergence::add(std::span<const float> first, std::span<const float> second) {
  if (first.size() != second.size())
    return sizes_differ(kDivergence, first.size(), "values in the first run", second.size(),
                        "in the second");
  if (outputs_ != Outputs::kPlain && first.empty())
    return bad_parameter(kDivergence, "a sample without scores",
                         "compare the outputs as plain values");
  add_values(first, second);
  if (outputs_ != Outputs::kPlain) add_distributions(first, second);
  ++sums_.samples;
  return {};
}

void Divergence::add_values(std::span<const float> first, std::span<const float> second) {
  const auto sample = static_cast<std::size_t>(sums_.samples);
  for (std::size_t i = 0; i < first.size(); ++i) {
    const double a = first[i], b = second[i];
    if (std::isfinite(a) && std::isfinite(b)) {
      const double difference = std::abs(b - a), larger = std::max(std::abs(a), std::abs(b));
      ++sums_.compared;
      absolute_sum_ += difference;
      raise(sums_.largest_absolute, difference, sample, i);
      raise(sums_.largest_relative, larger == 0 ? 0 : difference / larger, sample, i);
      continue;
    }
    count(first[i], sums_.first);
    count(second[i], sums_.second);
    if (a != b && !(std::isnan(a) && std::isnan(b))) ++sums_.differ_in_kind;
  }
  sums_.values += static_cast<std::int64_t>(first.size());
}

void Divergence::add_distributions(std::span<const float> first, std::span<const float> second) {
  const bool agree = !all_nan(first) && !all_nan(second) && top_class(first) == top_class(second);
  agreed_.push_back(agree ? 1 : 0);
  const auto logarithms = outputs_ == Outputs::kLogits ? of_logits : of_probabilities;
  const Logarithms p = logarithms(first), q = logarithms(second);
  if (p.empty() || q.empty()) {
    ++sums_.no_distribution;
    return;
  }
  kullback_leibler_.push_back(kullback_leibler(p, q));
  jensen_shannon_.push_back(jensen_shannon(p, q));
  if (std::isinf(kullback_leibler_.back())) ++sums_.infinite_divergences;
}

DivergenceFigures Divergence::figures(const stats::BootstrapOptions& options) const {
  DivergenceFigures figures = sums_;
  figures.mean_absolute = absolute_sum_ / static_cast<double>(sums_.compared);
  figures.agreement = proportion(std::accumulate(agreed_.begin(), agreed_.end(), std::int64_t{0}),
                                 static_cast<std::int64_t>(agreed_.size()), options.confidence);
  figures.kullback_leibler = mean_figure(kullback_leibler_, options);
  figures.jensen_shannon = mean_figure(jensen_shannon_, options);
  return figures;
}

OutputDivergence divergence_of_output(std::string output, Outputs kind,
                                      const Divergence* comparison) {
  OutputDivergence out{.output = std::move(output), .kind = kind, .figures = {}, .differ = {}};
  out.comparable = comparison != nullptr;
  if (!out.comparable) {
    out.figures.mean_absolute = out.figures.largest_absolute.value =
        out.figures.largest_relative.value = std::numeric_limits<double>::quiet_NaN();
    return out;
  }
  out.figures = comparison->figures();
  const std::span<const std::uint8_t> agreed = comparison->agreed();
  for (std::size_t i = 0; i < agreed.size(); ++i)
    if (agreed[i] == 0) out.differ.push_back(i);
  return out;
}

}  // namespace ridge::accuracy
