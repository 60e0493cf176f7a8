// SPDX-License-Identifier: Apache-2.0
// Generated models that are too large for a transcript: deep, long, wide, or sparse files.
//
//   make_large_file("deep.onnx", "nested_ifs", 10'000);
//
// The bytes are generated here, so that an error of the writer cannot hide one of the reader. Cost:
// linear in the file. Throws std::invalid_argument for an unknown recipe.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace ridge::tests {

void make_large_file(const std::filesystem::path& path, std::string_view recipe, std::int64_t size);

}  // namespace ridge::tests
