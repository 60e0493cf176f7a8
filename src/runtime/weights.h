// SPDX-License-Identifier: Apache-2.0
// Elements of a model's weights for a runtime: mapped from the user's file, generated from a seed,
// or a few bytes inline.
//
//   std::vector<Weight> weights = ...;     // in ridge: the location of each tensor's elements
//   WeightStore store = TRY(WeightStore::make(entries, files));   // in the child: the elements
//   model.weights = store.view();
//
// Nothing is written to disk. A file is mapped read-only once, however many tensors it contains;
// only a tensor that is not aligned to its element size is copied. Ownership: the store owns
// mappings and memory; it must outlive the session that uses them.
//
// A runtime that opens files itself (RIDGE_TAKES_WEIGHTS) maps weights instead of copying them:
//
//   WeightStore store = TRY(WeightStore::make(entries, files, folder));
//   std::string named = store.name_files(model);   // the model with the locations of its weights
//   api.load({named, store.in_memory()});          // the store is not needed afterwards
//
// A weight of 64 KiB or more is mapped from the user's file if its offset is a multiple of 64
// bytes, the alignment of the runtimes' own memory, else from a file of its own in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/recipe.h"
#include "base/result.h"
#include "ipc/descriptor.h"
#include "onnx/data_type.h"
#include "onnx/weights.h"
#include "runtime/abi.h"
#include "runtime/memory_file.h"

namespace ridge::runtime {

/// Tensor that the model refers to by name and stores externally.
struct Weight {
  std::string name;
  onnx::DataType type = onnx::DataType::kFloat;
  std::vector<std::int64_t> dims;
  std::variant<onnx::WeightRange, SeededTensor, std::vector<std::byte>> elements;
};

/// Weight for a document's tensor, under its name in the model to load. Errors: as
/// onnx::WeightLocator.
Result<Weight> weight_of(onnx::WeightLocator& locator, std::string_view name,
                         const onnx::Tensor& tensor);

/// Weight as sent to the child; files are sent along as descriptors.
struct WeightEntry {
  enum class Source : std::uint8_t { kFile, kSeeded, kInline };

  std::string name;
  onnx::DataType type = onnx::DataType::kFloat;
  std::vector<std::int64_t> dims;
  Source source = Source::kInline;
  std::uint32_t file = 0;   ///< index among the files sent
  std::int64_t offset = 0;  ///< kFile: offset in it, in bytes
  std::int64_t length = 0;
  SeededTensor recipe;
  std::string bytes;
};

struct PackedWeights {
  std::vector<WeightEntry> entries;
  /// Descriptors of the Weights' files, each once; still owned by those files.
  std::vector<int> files;
};

PackedWeights pack(std::span<const Weight> weights);

class WeightStore {
 public:
  WeightStore() = default;
  /// Input errors: a shape that does not fit its bytes, a type without seeded form. Validates
  /// everything, because entries come from another process. `folder`: where weights without an
  /// openable path get a file in memory; empty: no weight is placed in a file.
  static Result<WeightStore> make(std::vector<WeightEntry> entries,
                                  const std::vector<ipc::Descriptor>& files,
                                  std::string folder = {});
  /// Returns all weights.
  RidgeTensors view() const { return {tensors_.data(), tensors_.size(), sizeof(RidgeTensor)}; }
  /// Returns the weights that are in no file.
  RidgeTensors in_memory() const {
    return {in_memory_.data(), in_memory_.size(), sizeof(RidgeTensor)};
  }
  /// Lets go of the pages of files: those that are read again come back, and what a runtime has
  /// packed elsewhere stays out of memory.
  void let_go_of_pages();
  /// Returns the model with the files of the other weights as their locations: absolute paths
  /// without the first '/'. Empty if there are no such weights or the model cannot be rewritten.
  /// The files must exist while the model is loaded; existing mappings keep their content.
  std::string name_files(std::string_view model) const;

 private:
  /// Elements of a weight and the file that also contains them; no path: no file.
  struct Place {
    std::span<const std::byte> elements;
    std::string path = {};
    std::int64_t offset = 0;
  };
  struct WeightFile {
    ipc::Mapping mapping;
    std::string path;  ///< empty: no path to open it by
  };

  Result<Place> place(const WeightEntry& entry);
  Result<Place> place_in_file(const WeightEntry& entry, std::size_t size);
  /// Allocates room for elements in a separate file in memory; empty if that is not wanted or
  /// possible.
  std::span<std::byte> allocate_file(std::size_t bytes, Place& place);
  Result<std::span<std::byte>> allocate(std::size_t bytes, Place& place);

  std::string folder_;
  std::vector<WeightEntry> entries_;
  std::vector<WeightFile> files_;
  std::vector<ipc::Mapping> memory_;
  std::vector<MemoryFile> memory_files_;
  std::vector<RidgeTensor> tensors_, in_memory_;
  std::map<std::string_view, Place> in_files_;  ///< by weight name
};

}  // namespace ridge::runtime
