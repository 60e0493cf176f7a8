// SPDX-License-Identifier: Apache-2.0
// NumPy's .npy files: the header, validated against the file. Format: numpy/lib/format.py, versions
// 1.0 to 3.0.
//
//   Npy array = TRY(Npy::open("x.npy"));
//   TRY(array.file.read_at(array.offset, out));      // array.bytes bytes, C order, little-endian
//
// The header is text that Python would evaluate; here a small grammar parses it, and it is not
// trusted: the size of the data must be exactly what type and shape require. Input errors state
// what was found and what to do.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "base/result.h"
#include "onnx/data_type.h"

namespace ridge::runtime {

struct NpyHeader {
  onnx::DataType type = onnx::DataType::kUndefined;
  std::vector<std::int64_t> dims;
};

/// Parses the dictionary of the header: "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3),
/// }".
Result<NpyHeader> parse_npy_dictionary(std::string_view text);

/// Bytes that precede the elements: magic, version 1.0 and the dictionary, padded to a multiple of
/// 64 bytes. At most 64 dimensions.
std::string npy_preamble(const NpyHeader& header);

/// True if .npy supports this element type; ridge uses NumPy's names for types.
bool npy_holds(onnx::DataType type);

struct Npy {
  File file;
  NpyHeader header;
  std::int64_t offset = 0;  ///< offset of the first element
  std::int64_t bytes = 0;

  static Result<Npy> open(const std::string& path);
  static Result<Npy> of(File file);
};

}  // namespace ridge::runtime
