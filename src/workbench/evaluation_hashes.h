// Hashes of what an evaluation reads (evaluation_lock.h states over which bytes). Private to it.
#pragma once

#include <string>

#include "base/result.h"
#include "onnx/document.h"
#include "workbench/evaluation_data.h"

namespace ridge::workbench {

Result<std::string> model_sha256(const onnx::Document& document);
Result<std::string> data_sha256(const EvaluationData& data);

}  // namespace ridge::workbench
