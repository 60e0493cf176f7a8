// Models too large to write down: deep, long, wide, or with holes on the disk.
//
//   make_large_file("deep.onnx", "nested_ifs", 10'000);
//
// Bytes are put together here, so that a mistake of the writer cannot hide one of the reader. Cost:
// linear in the file. Throws std::invalid_argument for a recipe that does not exist.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace ridge::tests {

void make_large_file(const std::filesystem::path& path, std::string_view recipe, std::int64_t size);

}  // namespace ridge::tests
