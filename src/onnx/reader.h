// Reads an ONNX file into a Document without loading weights.
//
//   Result<onnx::Document> doc = onnx::read_file("model.onnx");
//
// The file is read through a window (pread, up to 256 KiB): names, attributes and tensors of at
// most `Limits::inline_bytes` are copied into the arena, larger raw_data stays a file range. A 1
// GiB model takes milliseconds and megabytes. Nesting and memory are limited. Errors: every
// malformed file is an input error with the location, the byte offset and a hint; other file
// formats (gzip, HTML, text, GGUF, ...) are recognized and named. Files of several GiB are
// supported.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "onnx/document.h"

namespace ridge::onnx {

struct Limits {
  std::int64_t inline_bytes = 1 << 10;  ///< larger raw_data stays in the file
  /// Limit on the elements of floating-point and quantized tensors that are copied; tensors with
  /// more stay in the file.
  std::int64_t inline_weights = INT64_MAX;
  /// Memory limit for the structure of a model; larger models are rejected. Elements that take no
  /// more memory than their bytes in the file are not counted.
  std::int64_t memory = std::int64_t{192} << 20;
  int depth = 32;  ///< nesting of graphs
};

Result<Document> read_file(const std::string& path, const Limits& limits = {});

/// Reads a model from memory (from a runtime, a test, a fuzzer). `label` replaces the path in
/// messages. The bytes are copied.
Result<Document> read_bytes(std::string_view bytes, std::string_view label,
                            const Limits& limits = {});

}  // namespace ridge::onnx
