// SPDX-License-Identifier: Apache-2.0
// One runtime's part of an evaluation as comparisons take it: what it answered for every sample,
// how long samples and queries took. evaluation/repeat/runs.h makes it from documents.
//
// Lists by sample are empty or as long as `samples`, whose names differ. Plain data.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "accuracy/output_file.h"
#include "stats/estimate.h"

namespace ridge::compare {

struct LatencyFigure {
  double percentile = 50;
  stats::Estimate ns;
};

struct MetricFigure {
  std::string metric;  ///< name of accuracy/metrics.h
  stats::Estimate figure;
};

struct EvaluationRun {
  std::string label, model, graph_hash, host;
  std::string runtime, version;
  int threads = 1;
  std::string scenario;                    ///< kind; "": accuracy alone
  std::optional<double> queries_per_s;     ///< rate of a server's arrivals
  std::string data, steps;                 ///< source and steps of the samples; "": seeded ones
  std::string data_sha256, labels_sha256;  ///< hashes of their content; "": not known
  std::vector<std::string> samples;        ///< names; empty without data
  /// By sample; empty where the document has none.
  std::vector<std::int64_t> predicted;
  std::vector<std::uint8_t> correct;
  std::map<std::int64_t, std::string> class_names;  ///< names of predicted classes, where known
  std::vector<double> prepare_ns;                   ///< time in which its steps made the sample
  std::vector<MetricFigure> metrics;
  std::vector<accuracy::OutputFile> outputs;  ///< files with the outputs of each sample
  std::vector<LatencyFigure> latency;
  std::optional<stats::Estimate> completed_per_s;
  std::string validity;  ///< "valid", "invalid", "undecided"; "": no load

  /// "281 tabby", or "281".
  std::string class_text(std::int64_t number) const;
  /// True for elements of an array, which have positions for names.
  bool numbered() const;
  const stats::Estimate* latency_at(double percentile) const;
};

}  // namespace ridge::compare
