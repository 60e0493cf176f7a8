// SPDX-License-Identifier: Apache-2.0
// Accelerator estimate of a network as a document: ridge.accelerator/1, CSV, text, Markdown.
//
// Columns: MACs and cycles are counts, DRAM and SRAM are words (elements) unless the title or unit
// is bytes. One point is shown layer by layer, several points as a row each. Deterministic.
#pragma once

#include <cstddef>

#include "accelerator/study/result.h"
#include "base/sink.h"
#include "record/document_sink.h"

namespace ridge::exports {

void write_accelerator_document(const accelerator::Study& view, const record::DocumentSink& out);
/// One row per point and layer, unformatted; an unknown value is an empty cell.
void write_accelerator_csv(const accelerator::Study& view, Sink& sink);
/// `top`: number of layers, most cycles first; 0: all, in file order.
void write_accelerator_text(const accelerator::Study& view, std::size_t top, Sink& sink);
void write_accelerator_markdown(const accelerator::Study& view, std::size_t top, Sink& sink);

}  // namespace ridge::exports
