// Reads an ONNX file into a Document without loading weights.
//
//   Result<onnx::Document> doc = onnx::read_file("model.onnx");
//
// The file is walked in read windows (pread, 1 MiB): names, attributes and tensors of at most
// `Limits::inline_bytes` are copied into the arena, larger raw_data stays a file range. A 1 GiB
// model costs milliseconds and megabytes. Bounded: nesting, message count, memory. Errors: every
// malformed file is an input error that names the place, the byte offset and the next step; a wrong
// kind of file (gzip, HTML, text, GGUF, ...) is named. Files of several GiB work.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "onnx/document.h"

namespace ridge::onnx {

struct Limits {
  std::int64_t inline_bytes = 1 << 10;  ///< larger raw_data stays in the file
  /// Of floating and quantised types also raw_data of more elements.
  std::int64_t inline_weights = INT64_MAX;
  /// Of structure, past which the file is refused. Elements that take no more memory than their
  /// bytes in the file do not count.
  std::int64_t memory = std::int64_t{192} << 20;
  int depth = 32;  ///< graphs inside graphs
};

Result<Document> read_file(const std::string& path, const Limits& limits = {});

/// The same from memory (a runtime's dump, a test, a fuzzer). `label` stands for the path in
/// messages. Bytes are copied.
Result<Document> read_bytes(std::string_view bytes, std::string_view label,
                            const Limits& limits = {});

}  // namespace ridge::onnx
