// SPDX-License-Identifier: Apache-2.0
// Files of bricks, with the digest that a plan keeps of each.
//
//   brick.digest = TRY(save_brick(model, path, Durability::kSynced));
//   TRY(check_brick(brick, folder));                       // before it is loaded
//
// Errors: as onnx::write_file and File; input class, RIDGE-WB-0320, for a file that is not
// the one that was planned. Cost: a hash of the file; another size is found without one.
#pragma once

#include <string>

#include "base/file_writer.h"
#include "base/result.h"
#include "bricks/plan.h"
#include "onnx/document.h"

namespace ridge::bricks {

Result<FileDigest> save_brick(const onnx::Document& model, const std::string& path,
                              Durability durability);

/// Compares the brick's file in the folder of its plan with its digest.
Result<void> check_brick(const Brick& brick, const std::string& folder);

}  // namespace ridge::bricks
