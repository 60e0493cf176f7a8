// What a network costs on an accelerator, as a document: ridge.accelerator/1, CSV, text, Markdown.
//
// Words of the columns: MACs and cycles are counts, DRAM and SRAM are words (elements) unless the
// title says bytes. One point is shown layer by layer, several as a row each. Deterministic.
#pragma once

#include <cstddef>

#include "accelerator/study.h"
#include "base/sink.h"

namespace ridge::exports {

void write_accelerator_json(const accelerator::Study& view, Sink& sink);
/// A row per point and layer, unformatted; what is not known is an empty cell.
void write_accelerator_csv(const accelerator::Study& view, Sink& sink);
/// `top`: layers, most cycles first; 0 is all, in file order.
void write_accelerator_text(const accelerator::Study& view, std::size_t top, Sink& sink);
void write_accelerator_markdown(const accelerator::Study& view, std::size_t top, Sink& sink);

}  // namespace ridge::exports
