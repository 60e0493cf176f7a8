// SPDX-License-Identifier: Apache-2.0
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

#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "onnx/document.h"
#include "onnx/limits.h"
#include "onnx/value.h"

namespace ridge::onnx {

Result<Document> read_file(const std::string& path, const Limits& limits = {});

/// Reads a model from memory (from a runtime, a test, a fuzzer). `label` replaces the path in
/// messages. The bytes are copied.
Result<Document> read_bytes(std::string_view bytes, std::string_view label,
                            const Limits& limits = {});

/// Reads a single value: TensorProto, SequenceProto or OptionalProto, as in the inputs of onnx's
/// test data (test_data_set_0/input_0.pb). The file does not identify the message type, so `kinds`
/// must: from the outermost type inwards, the last is a tensor. Input error if the file contains
/// another message or is malformed.
///
///   const TypeKind kinds[] = {TypeKind::kSequence, TypeKind::kTensor};
///   StoredValue v = TRY(onnx::read_value("input_0.pb", kinds));
///   for (const Value& member : v.value.members) ... *member.tensor ...
Result<StoredValue> read_value(const std::string& path, std::span<const TypeKind> kinds);

}  // namespace ridge::onnx
