// Hashes of what an evaluation reads (evaluation_lock.h states over which bytes). Private to it.
#pragma once

#include <string>

#include "base/result.h"
#include "manifest/whole_file.h"
#include "onnx/document.h"
#include "workbench/evaluation_data.h"

namespace ridge::workbench {

Result<std::string> model_sha256(const onnx::Document& document,
                                 const manifest::HashWatch& watch = {});
Result<std::string> data_sha256(const EvaluationData& data, const manifest::HashWatch& watch = {});

/// Hash of a file, or of the names and contents of a folder's files in the order of their names.
Result<std::string> labels_sha256(const std::string& path, const manifest::HashWatch& watch = {});

}  // namespace ridge::workbench
