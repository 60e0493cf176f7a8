// SPDX-License-Identifier: Apache-2.0
// A grid as text, Markdown, CSV and LaTeX.
//
//   sink.write(grid_markdown(grid));
//
// Text, Markdown and LaTeX have a table for each figure, rows by columns, and one of what was
// measured; figures that no cell has are named. CSV has a line for each place of the grid, with
// plain numbers, empty where nothing was measured. Names are untrusted: each format escapes them.
// Thread rule: pure.
#pragma once

#include <string>

#include "lab/grid/grid.h"

namespace ridge::lab {

std::string grid_text(const Grid& grid);
std::string grid_markdown(const Grid& grid);
std::string grid_csv(const Grid& grid);

/// Tables of the package booktabs for \input in a document; pdflatex needs no other package.
std::string grid_latex(const Grid& grid);

/// Text without any meaning to TeX: commands, accents and formulas become letters; what pdflatex
/// has no glyph for becomes "U+5C64".
std::string latex_escape(std::string_view text);

}  // namespace ridge::lab
