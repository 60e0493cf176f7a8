// SPDX-License-Identifier: Apache-2.0
// Sections of the page of advice, each a piece of HTML. See report/advice/page.h.
#pragma once

#include <string>

#include "report/advice/view.h"

namespace ridge::report {

/// Measured, achievable and least time as bars on one scale.
std::string advice_figures_section(const AdviceView& view);
/// Modules with their time and its bound, most time above the bound first.
std::string advice_modules_section(const AdviceView& view);
/// Findings and all edits together, largest gain first.
std::string advice_findings_section(const AdviceView& view);
/// Roofline of the run with an arrow per finding.
std::string advice_roofline_section(const AdviceView& view);
/// Layers of findings, and those with most time above their bound.
std::string advice_layers_section(const AdviceView& view);
/// "" without notes.
std::string advice_notes_section(const AdviceView& view);

}  // namespace ridge::report
