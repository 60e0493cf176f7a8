// SPDX-License-Identifier: Apache-2.0
// Inputs of a measured model: seeded elements of the right type and range, or the user's own files,
// in memory that the child maps.
//
//   std::vector<InputSpec> specs = {{.name = "ids", .type = DataType::kInt64, .dims = {1, 128},
//                                    .bound = 30522}};
//   Inputs inputs = TRY(Inputs::make(specs));
//
// Equal specs produce the same bytes on every machine. Ownership: Inputs owns its memory. Cost:
// one pass over the elements.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "ipc/descriptor.h"
#include "onnx/document.h"
#include "runtime/abi.h"

namespace ridge::runtime {

/// Elements that follow from their place: the i-th along the last axis is first + step * i.
struct Fill {
  std::int64_t first = 0, step = 0;
  bool operator==(const Fill&) const = default;
};

struct InputSpec {
  std::string name;
  /// Element type of the tensor, or of the tensors inside.
  onnx::DataType type = onnx::DataType::kFloat;
  std::vector<std::int64_t> dims;     ///< all known; unused for sequences and optionals
  std::optional<std::int64_t> bound;  ///< integers are in [0, bound); default [0, 2)
  /// Elements of an input with a known meaning (measure/input_meaning.h); nullopt: random ones.
  std::optional<Fill> fill;
  std::string known;  ///< "attention_mask all 1": the original name and the elements; "": not known
  std::uint64_t seed = 1;
  /// Path of a .npy, or of a .pb as in onnx's test data, of this type and shape (float64 is
  /// converted to float32 and float16); or the elements themselves (runtime/inputs/literal.h): "5".
  /// Empty: seeded, possible for tensors only.
  std::string file;
  /// Containers around the tensors, from the outermost in: kSequence, kOptional, or both.
  std::vector<onnx::TypeKind> around;
};

/// Place of one input in the shared memory. Text is stored as the ends of its elements (int64 each)
/// followed by their bytes.
struct InputTensor {
  std::string name;
  onnx::DataType type = onnx::DataType::kFloat;
  std::vector<std::int64_t> dims;
  std::int64_t offset = 0;  ///< a multiple of 64
  std::int64_t bytes = 0;
  RidgeValueKind kind = RIDGE_TENSOR;
  std::vector<InputTensor> members;  ///< members of a sequence
};

struct Inputs {
  std::vector<InputTensor> tensors;
  ipc::SharedMemory memory;
  /// Conversions that were made; one line on the inputs with a known meaning.
  std::vector<std::string> notes;

  /// Input errors: a type without seeded form (complex), a sequence or optional without a file, a
  /// size beyond 2^62, a file that does not fit.
  static Result<Inputs> make(const std::vector<InputSpec>& specs);
};

/// Returns the shape of the array in a .npy, in a .pb with a TensorProto, or of elements that are
/// written out, for an input with `rank` declared axes (nullopt: none declared); nullopt if they
/// fit several shapes.
Result<std::optional<std::vector<std::int64_t>>> array_shape(const std::string& file,
                                                             std::optional<std::size_t> rank);

/// Elements of one input: their shape (nullopt: the input's shape, where one element is the value
/// of all) and bytes.
struct InputElements {
  std::optional<std::vector<std::int64_t>> dims;
  std::vector<std::byte> bytes;
};
/// Reads an array of `type` from a file or from elements that are written out; nullopt if it has
/// more than `most` elements. `rank` as for array_shape. Errors: as Inputs::make.
Result<std::optional<InputElements>> input_elements(const std::string& file, onnx::DataType type,
                                                    std::optional<std::size_t> rank,
                                                    std::int64_t most);
/// Returns the bytes of a tensor with a file or elements written out. Errors: as Inputs::make.
Result<std::vector<std::byte>> tensor_bytes(const InputSpec& spec);

/// Writes the elements of one input: floats uniform with mean 0 and standard deviation 1 (8-bit
/// floats in [0, 1)), integers uniform in [0, bound), elements of less than 8 bits over their whole
/// range, bools half true; or the values of spec.fill, where the type can hold them (floats,
/// integers of at least 8 bits, bools). Input error for types without a seeded form.
Result<void> fill_input(const InputSpec& spec, std::span<std::byte> out);

}  // namespace ridge::runtime
