// The inputs of a measured model: seeded numbers of the right type and range, or the user's own
// arrays, in memory that the child maps.
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
#include "onnx/data_type.h"
#include "runtime/descriptor.h"

namespace ridge::runtime {

struct InputSpec {
  std::string name;
  onnx::DataType type = onnx::DataType::kFloat;
  std::vector<std::int64_t> dims;     ///< all known
  std::optional<std::int64_t> bound;  ///< integers lie in [0, bound); without it in [0, 2)
  std::uint64_t seed = 1;
  std::string npy;  ///< a .npy file whose type and shape must be these; empty: seeded
};

/// Where one input lies in the shared memory.
struct InputTensor {
  std::string name;
  onnx::DataType type = onnx::DataType::kFloat;
  std::vector<std::int64_t> dims;
  std::int64_t offset = 0;  ///< a multiple of 64
  std::int64_t bytes = 0;
};

struct Inputs {
  std::vector<InputTensor> tensors;
  SharedMemory memory;

  /// Input errors: a type without seeded form (strings, complex), a size beyond 2^62, an array that
  /// does not fit.
  static Result<Inputs> make(const std::vector<InputSpec>& specs);
};

/// Writes elements of one input: floats uniform with mean 0 and deviation 1, integers uniform in
/// [0, bound), bools half true. Input error for types without a seeded form.
Result<void> fill_input(const InputSpec& spec, std::span<std::byte> out);

}  // namespace ridge::runtime
