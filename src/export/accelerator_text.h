// What a network costs on an accelerator, as a document: ridge.accelerator/1, CSV, text, Markdown.
//
// Words of the columns: MACs and cycles are counts, DRAM and SRAM are words (elements), never
// bytes. Deterministic.
#pragma once

#include <cstddef>
#include <string>

#include "accelerator/estimate.h"
#include "base/sink.h"

namespace ridge::exports {

/// A network and what it costs.
struct AcceleratorView {
  const std::string& subject;  ///< the model, topology or product that was given
  accelerator::Convention convention;
  const accelerator::ScalesimMachine& machine;
  const accelerator::Lowered& network;
  const accelerator::Estimate& estimate;
};

void write_accelerator_json(const AcceleratorView& view, Sink& sink);
/// A row per layer.
void write_accelerator_csv(const AcceleratorView& view, Sink& sink);
/// `top`: layers, most cycles first; 0 is all, in file order.
void write_accelerator_text(const AcceleratorView& view, std::size_t top, Sink& sink);
void write_accelerator_markdown(const AcceleratorView& view, std::size_t top, Sink& sink);

}  // namespace ridge::exports
