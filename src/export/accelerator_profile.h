// What loop nests tell of the layers, beside the closed form, as a table.
#pragma once

#include <cstddef>
#include <string>

#include "accelerator/study.h"
#include "export/table.h"

namespace ridge::exports {

/// "Loop nests (tir): the multiply-accumulates of 21 of 21 layers are those of the closed form;
/// bytes as stored, float32".
std::string profile_heading(const accelerator::StudyNetwork& network);

/// The layers with multiply-accumulates, in file order; `top` most of them, 0: all.
Table profile_table(const accelerator::StudyNetwork& network, std::size_t top);

}  // namespace ridge::exports
