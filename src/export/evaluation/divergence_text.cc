// SPDX-License-Identifier: Apache-2.0
#include "export/evaluation/divergence_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/numeral.h"
#include "base/text.h"

namespace ridge::exports {
namespace {

/// Samples that are named in a line.
constexpr std::size_t kNamedSamples = 10;

}  // namespace

std::string precise_share(const accuracy::Figure& share) {
  if (std::isnan(share.value)) return "none";
  std::string out = fmt::format("{:.2f} %", 100 * share.value);
  if (share.interval)
    out += fmt::format(" ({:.2f} to {:.2f})", 100 * share.interval->lo, 100 * share.interval->hi);
  return out;
}

std::string mean_kl_text(const accuracy::DivergenceFigures& f) {
  if (f.infinite_divergences == 0) return fmt::format("{:.3g}", f.kullback_leibler.value);
  return fmt::format("infinite (in {} of {})", f.infinite_divergences,
                     counted(f.samples, "sample"));
}

std::string divergence_text(const accuracy::OutputDivergence& d, std::string_view against,
                            std::span<const std::string> samples) {
  const accuracy::DivergenceFigures& f = d.figures;
  const auto sample = [&](std::size_t i) {
    return printable(i < samples.size() ? samples[i] : fmt::format("{}", i));
  };
  std::string out =
      fmt::format("output '{}' against {}: ", printable(d.output), printable(against));
  if (!d.comparable) return out + "not compared, they differ in size";
  if (f.differ_in_kind > 0)
    out += fmt::format("{} differ in being finite, ", counted(f.differ_in_kind, "pair"));
  // Without a pair of finite values there is no mean.
  if (std::isnan(f.mean_absolute)) return out + "no other values are compared";
  out += fmt::format("largest difference {} (sample {}, value {})",
                     significant(f.largest_absolute.value, 3), sample(f.largest_absolute.sample),
                     f.largest_absolute.index);
  if (d.kind == accuracy::Outputs::kPlain) return out;
  out += fmt::format(", same class {}, mean KL {}, JS {:.3g} ({})", precise_share(f.agreement),
                     mean_kl_text(f), f.jensen_shannon.value, word(d.kind));
  for (std::size_t i = 0; i < std::min(kNamedSamples, d.differ.size()); ++i)
    out += (i == 0 ? "\n    another class: " : ", ") + sample(d.differ[i]);
  if (d.differ.size() > kNamedSamples)
    out += fmt::format(", and {} more", d.differ.size() - kNamedSamples);
  return out;
}

}  // namespace ridge::exports
