// The page of `ridge accel`: one self-contained HTML file that opens offline, in the look of a
// profile's (report/html.h).
//
// Sections: figures and what binds them, points side by side, lines over each swept number, points
// (or mappings) in the plane of latency and energy, bars by layer and point of every measure, a
// table of layers that open to their buffers and mappings, where every figure comes from.
// Readable without scripts. Names of models and machines are hostile text: escaped.
#pragma once

#include <string>

#include "accelerator/study.h"

namespace ridge::report {

std::string accelerator_page(const accelerator::Study& view);

}  // namespace ridge::report
