// The inputs of a measured model: seeded elements of the right type and range, or the user's own
// files, in memory that the child maps.
//
//   std::vector<InputSpec> specs = {{.name = "ids", .type = DataType::kInt64, .dims = {1, 128},
//                                    .bound = 30522}};
//   Inputs inputs = TRY(Inputs::make(specs));
//
// The same specs give the same bytes on every machine. Ownership: Inputs owns its memory. Cost: one
// pass over the elements.
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

struct InputSpec {
  std::string name;
  onnx::DataType type = onnx::DataType::kFloat;  ///< of a tensor, or of those inside
  std::vector<std::int64_t> dims;                ///< all known; of a tensor only
  std::optional<std::int64_t> bound;  ///< integers lie in [0, bound); without it in [0, 2)
  std::uint64_t seed = 1;
  /// A .npy, or a .pb as onnx's test data has them, whose type and shape must be these (float64 is
  /// converted to float32 and float16); empty: seeded, which only a tensor can be.
  std::string file;
  /// What is around the tensors, from the outermost in: kSequence, kOptional, or both.
  std::vector<onnx::TypeKind> around;
};

/// Where one input lies in the shared memory. Text lies there as the ends of its elements (int64
/// each) and then their bytes.
struct InputTensor {
  std::string name;
  onnx::DataType type = onnx::DataType::kFloat;
  std::vector<std::int64_t> dims;
  std::int64_t offset = 0;  ///< a multiple of 64
  std::int64_t bytes = 0;
  RidgeValueKind kind = RIDGE_TENSOR;
  std::vector<InputTensor> members;  ///< of a sequence
};

struct Inputs {
  std::vector<InputTensor> tensors;
  ipc::SharedMemory memory;
  std::vector<std::string> notes;  ///< what was converted

  /// Input errors: a type without seeded form (complex), a sequence or optional without a file, a
  /// size beyond 2^62, a file that does not fit.
  static Result<Inputs> make(const std::vector<InputSpec>& specs);
};

/// The shape of the array in a .npy, or in a .pb that holds a TensorProto.
Result<std::vector<std::int64_t>> array_shape(const std::string& file);

/// Writes elements of one input: floats uniform with mean 0 and deviation 1 (of 8 bits and less in
/// [0, 1)), integers uniform in [0, bound), narrower ones over their whole range, bools half
/// true. Input error for types without a seeded form.
Result<void> fill_input(const InputSpec& spec, std::span<std::byte> out);

}  // namespace ridge::runtime
