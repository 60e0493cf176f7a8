// SPDX-License-Identifier: Apache-2.0
// The module tree as a table: indented for human readers, one row per module for spreadsheets.
//
//   resnet50.onnx                             [1, 1000]          122   25.6 M  4.09 G  100.0 %
//   ├─ conv1            Conv                  [1, 64, 112, 112]    1   9.41 k   118 M    2.9 %
//   ├─ layer1                                 [1, 256, 56, 56]
//   │  ├─ layer1.0      Conv ×4, Relu ×3, …
#pragma once

#include <cstdint>
#include <optional>

#include "analysis/outline.h"
#include "analysis/resolved.h"
#include "export/table.h"

namespace ridge::exports {

enum class TreeForm : std::uint8_t { kText, kMarkdown };

/// Rows of analysis/outline.h with the file name as root. Empty where the model has no modules.
Table module_tree(const analysis::Resolved& resolved, const analysis::OutlineOptions& options,
                  TreeForm form);

/// One row of plain numbers per module, nothing collapsed, down to `depth` (absent: all). The root,
/// with path "", is the whole model.
Table module_rows(const analysis::Resolved& resolved, std::optional<std::uint32_t> depth);

}  // namespace ridge::exports
