// The elements of a model's weights as a runtime is given them: mapped from the user's file,
// generated from a seed, or a few bytes inline.
//
//   std::vector<Weight> weights = ...;          // in ridge: says where each tensor's elements are
//   WeightStore store = TRY(WeightStore::make(entries, files));   // in the child: makes them real
//   model.weights = store.view();
//
// Nothing is written to disk. A file is mapped read-only once, however many tensors lie in it; only
// a tensor that is not aligned to its element size is copied. Ownership: the store owns mappings
// and memory; it must outlive the session that uses them.
//
// A runtime that opens files itself (RIDGE_TAKES_WEIGHTS) maps weights instead of copying them:
//
//   WeightStore store = TRY(WeightStore::make(entries, files, folder));
//   std::string named = store.name_files(model);   // the model with the files in which weights lie
//   api.load({named, store.in_memory()});          // the store may go
//
// A weight of 64 KiB or more lies in the user's file where it begins at a multiple of 64 bytes
// there, as runtimes align their own memory, and else in a file of its own in memory.
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

/// A tensor that the model refers to by name and keeps outside.
struct Weight {
  std::string name;
  onnx::DataType type = onnx::DataType::kFloat;
  std::vector<std::int64_t> dims;
  std::variant<onnx::WeightRange, SeededTensor, std::vector<std::byte>> elements;
};

/// The elements of a document's tensor under the name that the model to load gives it. Errors:
/// those of onnx::WeightLocator.
Result<Weight> weight_of(onnx::WeightLocator& locator, std::string_view name,
                         const onnx::Tensor& tensor);

/// A Weight on its way to the child: files travel beside it as descriptors.
struct WeightEntry {
  enum class Source : std::uint8_t { kFile, kSeeded, kInline };

  std::string name;
  onnx::DataType type = onnx::DataType::kFloat;
  std::vector<std::int64_t> dims;
  Source source = Source::kInline;
  std::uint32_t file = 0;   ///< position among the files sent
  std::int64_t offset = 0;  ///< kFile: bytes into it
  std::int64_t length = 0;
  SeededTensor recipe;
  std::string bytes;
};

template <typename Archive>
void fields(Archive& archive, WeightEntry& w) {
  archive(w.name, w.type, w.dims, w.source, w.file, w.offset, w.length, w.recipe.seed,
          w.recipe.mean, w.recipe.scale, w.bytes);
  archive.check(w.source <= WeightEntry::Source::kInline);
}

struct PackedWeights {
  std::vector<WeightEntry> entries;
  std::vector<int> files;  ///< descriptors of the Weights' files, each once; they stay theirs
};

PackedWeights pack(std::span<const Weight> weights);

class WeightStore {
 public:
  WeightStore() = default;
  /// Input errors: a shape that does not fit its bytes, a type that has no seeded form. Checks
  /// everything: entries crossed a process border. `folder`: where weights that nobody can open by
  /// path get a file in memory; empty: none is to lie in a file.
  static Result<WeightStore> make(std::vector<WeightEntry> entries,
                                  const std::vector<ipc::Descriptor>& files,
                                  std::string folder = {});
  /// All weights.
  RidgeTensors view() const { return {tensors_.data(), tensors_.size(), sizeof(RidgeTensor)}; }
  /// Those that lie in no file.
  RidgeTensors in_memory() const {
    return {in_memory_.data(), in_memory_.size(), sizeof(RidgeTensor)};
  }
  /// The model with the files of the others as their locations: absolute paths less the first '/'.
  /// Empty where there are no others, or where it cannot be said. The files must be there while the
  /// model is loaded, and what has mapped them by then keeps them.
  std::string name_files(std::string_view model) const;

 private:
  /// Elements of a weight, and the file that holds them too; no path: none does.
  struct Place {
    std::span<const std::byte> elements;
    std::string path = {};
    std::int64_t offset = 0;
  };
  struct WeightFile {
    ipc::Mapping mapping;
    std::string path;  ///< empty: nobody can open it
  };

  Result<Place> place(const WeightEntry& entry);
  Result<Place> place_in_file(const WeightEntry& entry, std::size_t size);
  /// Room for elements, in a file in memory of its own; empty where there is to be none.
  std::span<std::byte> allocate_file(std::size_t bytes, Place& place);
  Result<std::span<std::byte>> allocate(std::size_t bytes, Place& place);

  std::string folder_;
  std::vector<WeightEntry> entries_;
  std::vector<WeightFile> files_;
  std::vector<ipc::Mapping> memory_;
  std::vector<MemoryFile> memory_files_;
  std::vector<RidgeTensor> tensors_, in_memory_;
  std::map<std::string_view, Place> in_files_;  ///< by name
};

}  // namespace ridge::runtime
