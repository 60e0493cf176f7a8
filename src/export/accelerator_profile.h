// What loop nests tell of the layers, beside the closed form, as a table.
#pragma once

#include <cstddef>
#include <string>

#include "export/accelerator_view.h"
#include "export/table.h"

namespace ridge::exports {

/// "Loop nests (tir): the multiply-accumulates of 21 of 21 layers are those of the closed form;
/// bytes as stored, float32".
std::string profile_heading(const AcceleratorNetwork& network);

/// The layers with multiply-accumulates, in file order; `top` most of them, 0: all.
Table profile_table(const AcceleratorNetwork& network, std::size_t top);

}  // namespace ridge::exports
