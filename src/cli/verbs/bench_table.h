// Document of ridge bench: a row for each cell of its matrix.
#pragma once

#include <string>
#include <string_view>

#include "session/matrix.h"

namespace ridge::cli {

/// `format`: table, json (ridge.bench/1), csv or md.
std::string matrix_text(const session::Matrix& matrix, std::string_view format);

}  // namespace ridge::cli
