// The page of `ridge accel`: one self-contained HTML file that opens offline, in the style of a
// profile's page (report/html.h).
//
// Sections: figures and their bounds, a table of points, lines over each swept number, points (or
// mappings) in the plane of latency and energy, bars by layer and point for every measure, a table
// of layers whose rows expand to buffers and mappings, the source of every figure. Readable without
// scripts. Names of models and machines are untrusted text and escaped.
#pragma once

#include <string>

#include "accelerator/study.h"

namespace ridge::report {

std::string accelerator_page(const accelerator::Study& view);

}  // namespace ridge::report
