// SPDX-License-Identifier: Apache-2.0
// What evaluations showed, a point for each runtime. Plain data; evaluation.h makes it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "accuracy/divergence.h"
#include "accuracy/output_file.h"
#include "analysis/sizes/bound_sizes.h"
#include "base/error.h"
#include "evaluation/record/accuracy.h"
#include "evaluation/record/mlperf.h"
#include "evaluation/record/preparation.h"
#include "manifest/lock.h"
#include "profile/timeline.h"
#include "runtime/types.h"
#include "scenario/evaluation.h"
#include "scenario/peak_search.h"

namespace ridge::evaluation {

/// One model of a mix.
struct ModelFigures {
  std::string model;
  double share = 0;  ///< part of the queries, as asked
  std::uint32_t samples = 0;
  scenario::Figures figures;
};

/// Queries that ran with the runtime's profiler after the load (evaluation/run/trace.h).
struct ProfiledQueries {
  profile::Timeline recording;
  std::int64_t origin_ns = 0;  ///< moment at which the recording's times are zero
  std::string missing;         ///< reason why there are none; "": there are
};

struct EvaluatedPoint {
  runtime::RuntimeInfo runtime;
  std::string runtime_name;  ///< "ort"
  int threads = 1;
  std::uint32_t samples = 0;
  bool under_load = false;             ///< false: of accuracy alone, without figures
  scenario::Scenario scenario;         ///< as run: the rate that was found, if it was searched
  std::optional<scenario::Peak> peak;  ///< the search for it
  std::optional<Accuracy> accuracy;    ///< with data
  /// Differences between its outputs and the first point's outputs, for several runtimes.
  std::vector<accuracy::OutputDivergence> divergence;
  std::vector<accuracy::OutputFile> outputs;  ///< files with its outputs, if asked for
  scenario::Load load;
  scenario::Figures figures;
  scenario::Validity validity;
  ProfiledQueries profiled;
  std::optional<MlperfFigures> mlperf;  ///< by LoadGen's rules
  std::vector<ModelFigures> models;     ///< each of a mix, the first one included
  manifest::Lock lock;
};

/// The samples that queries took and that were judged.
struct EvaluatedData {
  EvaluationData of;
  std::vector<std::string> names;
  Preparation times;
  std::vector<std::string> notes = {};  ///< labels that were passed over, damaged images
  // Not in documents:
  std::vector<StepSpan> spans = {};                  ///< by sample, in the order of the steps
  std::vector<std::int64_t> labels = {};             ///< true classes, where they are known
  std::map<std::size_t, std::string> pictures = {};  ///< PNG files of the samples that a page lists
};

struct Evaluation {
  std::string model, graph_hash, host, ridge;
  analysis::BoundSizes sizes;
  scenario::Scenario scenario;
  std::optional<scenario::LatencyBound> bound;
  bool load = false;  ///< false: accuracy alone
  std::optional<EvaluatedData> data;
  std::vector<EvaluatedPoint> points;
  manifest::Lock lock;               ///< lock of all points
  std::optional<Error> store_error;  ///< set if a point could not be stored: the reason
};

}  // namespace ridge::evaluation
