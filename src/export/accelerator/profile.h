// SPDX-License-Identifier: Apache-2.0
// Table of the layers' figures from loop nests, compared with the closed form.
#pragma once

#include <cstddef>
#include <string>

#include "accelerator/study/result.h"
#include "export/table.h"

namespace ridge::exports {

/// "Loop nests (tir): the multiply-accumulates of 21 of 21 layers are those of the closed form;
/// bytes as stored, float32".
std::string profile_heading(const accelerator::StudyNetwork& network);

/// Layers with multiply-accumulates, in file order; the first `top` of them, 0: all.
Table profile_table(const accelerator::StudyNetwork& network, std::size_t top);

}  // namespace ridge::exports
