// SPDX-License-Identifier: Apache-2.0
// Accuracy of a model on data, as documents and tables have it. Plain data.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "accuracy/figure.h"

namespace ridge::evaluation {

struct NamedFigure {
  std::string metric;  ///< name of accuracy/metrics.h
  accuracy::Figure figure;
};

struct Accuracy {
  std::int64_t samples = 0;
  std::int64_t classes = 0;                    ///< 0 where answers are no classes
  std::optional<accuracy::Figure> top1, top5;  ///< none without labels; top5 from six classes on
  std::vector<NamedFigure> metrics;            ///< all figures, top1 and top5 among them
  std::vector<std::int64_t> predicted;         ///< class of each sample; empty without classes
  std::vector<std::uint8_t> correct;  ///< 1 for a sample that is right; empty without labels
  std::map<std::int64_t, std::string> class_names;  ///< names of predicted classes, where known
  std::vector<std::string> answers;  ///< texts of the first samples, as many as asked
  std::vector<std::string> notes;    ///< about what is true of the samples: what was passed over
};

}  // namespace ridge::evaluation
