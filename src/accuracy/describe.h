// SPDX-License-Identifier: Apache-2.0
// Descriptions of metrics and of differences between outputs (record/describe.h), the same in the
// documents of evaluations and of their comparisons.
#pragma once

#include "accuracy/divergence.h"
#include "accuracy/output_file.h"
#include "record/describe.h"
#include "stats/describe.h"

namespace ridge {

namespace accuracy {

/// Outputs that are compared as distributions.
inline bool has_scores(const OutputDivergence& d) {
  return d.comparable && d.kind != Outputs::kPlain;
}

}  // namespace accuracy

template <>
struct record::Describe<accuracy::Figure> {
  using T = accuracy::Figure;
  static constexpr std::array fields{
      field<&T::value>("value", "value; null without samples that count"),
      field<&T::interval>("ci95", "95 % interval, Wilson's or from a bootstrap over samples")};
};

template <>
struct record::Describe<accuracy::LargestDifference> {
  using T = accuracy::LargestDifference;
  static constexpr std::array fields{
      field<&T::value>("value", "difference"), field<&T::sample>("sample", "its sample, from 0"),
      field<&T::index>("index", "its position among the values of the sample")};
};

template <>
struct record::Describe<accuracy::OutputDivergence> {
  using T = accuracy::OutputDivergence;
  using Of = accuracy::DivergenceFigures;
  static constexpr std::array fields{
      field<&T::output>("output", "name of the output"),
      field<&T::kind>("kind",
                      "probabilities: made by a Softmax; scores: one axis of values for each "
                      "sample; values: others"),
      field<&T::comparable>("comparable",
                            "false: the outputs differ in size, and there are no figures"),
      field<&T::figures, &Of::samples>("samples", "samples compared"),
      field<&T::figures, &Of::values>("values", "pairs of values"),
      field<&T::figures, &Of::largest_absolute>("largest_absolute", "largest difference"),
      field<&T::figures, &Of::largest_relative>("largest_relative",
                                                "largest difference relative to the larger value"),
      field<&T::figures, &Of::mean_absolute>("mean_absolute", "mean difference of finite values"),
      field<&T::figures, &Of::differ_in_kind>(
          "differ_in_kind", "pairs of which one is NaN or infinite and the other is not so"),
      field<&T::figures, &Of::agreement>(
          "agreement", "share of samples with the same class of highest score; null for values",
          when<accuracy::has_scores>()),
      field<&T::figures, &Of::kullback_leibler>(
          "kl", "mean Kullback-Leibler divergence from the first run, nats; null for values",
          when<accuracy::has_scores>()),
      field<&T::figures, &Of::jensen_shannon>(
          "js", "mean Jensen-Shannon divergence, nats; null for values",
          when<accuracy::has_scores>()),
      field<&T::figures, &Of::infinite_divergences>(
          "infinite_divergences",
          "samples whose Kullback-Leibler divergence is infinite, as a score of the other run is "
          "zero; the mean of kl is null then"),
      field<&T::figures, &Of::no_distribution>(
          "no_distribution",
          "samples whose scores are no distribution in one of both, left out of kl and js"),
      field<&T::differ>("differ", "samples with another class of highest score, from 0")};
};

template <>
struct record::Describe<accuracy::OutputFile> {
  using T = accuracy::OutputFile;
  static constexpr std::array fields{
      field<&T::output>("output", "name of the output"),
      field<&T::kind>("kind", "as in divergence"),
      field<&T::path>("file",
                      "a .npy of float32, samples along its first axis; null: samples differ in "
                      "size or have no values",
                      zero_is_null()),
      field<&T::sha256>("sha256", "hash of the file", zero_is_null())};
};

}  // namespace ridge
