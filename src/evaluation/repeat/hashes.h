// Hashes of what an evaluation reads (evaluation/repeat/lock.h states over which bytes). Private to
// it.
#pragma once

#include <string>

#include "base/result.h"
#include "base/whole_file.h"
#include "evaluation/data/data.h"
#include "onnx/document.h"

namespace ridge::evaluation {

Result<std::string> model_sha256(const onnx::Document& document, const HashWatch& watch = {});
Result<std::string> data_sha256(const EvaluationData& data, const HashWatch& watch = {});

/// Hash of a file, or of the names and contents of a folder's files in the order of their names.
Result<std::string> labels_sha256(const std::string& path, const HashWatch& watch = {});

}  // namespace ridge::evaluation
