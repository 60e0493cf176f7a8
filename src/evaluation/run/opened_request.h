// SPDX-License-Identifier: Apache-2.0
// A request with all that it names opened, read and hashed, and its points with their keys
// (session/point_choice.h), before anything runs.
//
//   const auto opened = TRY(OpenedRequest::open(request, environment, {.wanted = keys}));
//   for (const session::Point& point : opened->points) request_key(opened->lock, point.runtime)
//
// Ownership: its members borrow from each other and from the environment, so it stays where it is.
// Errors: as evaluation.h and select_points(). Cost: reads the model, and what is hashed.
// Thread rule: one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "evaluation/data/data.h"
#include "evaluation/mlperf/settings.h"
#include "evaluation/record/request.h"
#include "manifest/lock.h"
#include "session/environment.h"
#include "session/processor_choice.h"
#include "session/workbench.h"

namespace ridge::evaluation {

struct OpenedRequest {
  struct Opening {
    std::span<const std::string> wanted = {};  ///< keys of the points to keep; none: all
    bool to_run = true;                        ///< false: to list, which claims no processors
    HashData data = HashData::kWithSamples;    ///< keys take the hash of the data, when it is known
  };

  EvaluationRequest request;
  session::MeasureSpec other_spec;  ///< spec of the other models of a mix
  std::optional<MlperfSettings> mlperf;
  std::size_t class_names = 0;
  std::optional<session::ProcessorScope> processors;
  std::optional<session::Workbench> bench;
  std::vector<session::Workbench> others;
  std::optional<DataCache> data;
  manifest::Lock lock;    ///< without runtimes
  std::size_t asked = 0;  ///< points of the whole request
  std::vector<session::Point> points;

  static Result<std::unique_ptr<OpenedRequest>> open(const EvaluationRequest& given,
                                                     const session::Environment& environment,
                                                     const Opening& how);

 private:
  Result<void> open_models(const session::Environment& environment);
  Result<void> choose(std::span<const std::string> wanted);
};

}  // namespace ridge::evaluation
