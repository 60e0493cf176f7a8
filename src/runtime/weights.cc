// SPDX-License-Identifier: Apache-2.0
#include "runtime/weights.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <map>
#include <optional>

#include "base/checked.h"
#include "onnx/reader.h"
#include "onnx/writer.h"

namespace ridge::runtime {
namespace {

/// Alignment required of a weight in a file, the same as in ONNX Runtime's own memory. Kernels are
/// slower on weights that straddle cache lines.
constexpr std::int64_t kWeightAlignment = 64;
/// Minimum size for mapping: smaller weights are copied quickly, and the number of mappings is
/// limited.
constexpr std::size_t kWorthAFile = std::size_t{64} << 10;

std::optional<std::int64_t> element_product(std::span<const std::int64_t> dims) {
  std::optional<std::int64_t> elements = 1;
  for (const std::int64_t dim : dims) {
    if (dim < 0) return std::nullopt;
    elements = checked_mul(*elements, dim);
    if (!elements) return std::nullopt;
  }
  return elements;
}

Error bad_weight(std::string message) { return input_error("RIDGE-RT-0032", std::move(message)); }

Error too_few(std::int64_t have, std::size_t needed) {
  return bad_weight(fmt::format("{} bytes are there, its shape needs {}", have, needed));
}

}  // namespace

Result<Weight> weight_of(onnx::WeightLocator& locator, std::string_view name,
                         const onnx::Tensor& tensor) {
  Weight weight{.name = std::string(name),
                .type = tensor.type,
                .dims = {tensor.dims.begin(), tensor.dims.end()},
                .elements = {}};
  switch (tensor.storage) {
    case onnx::Storage::kFile:
      weight.elements = TRY(locator.locate(tensor));
      break;
    case onnx::Storage::kSeeded:
      weight.elements = tensor.recipe;
      break;
    default:
      weight.elements = std::vector<std::byte>(tensor.bytes.begin(), tensor.bytes.end());
  }
  return weight;
}

PackedWeights pack(std::span<const Weight> weights) {
  PackedWeights packed;
  std::map<const File*, std::uint32_t> known;
  for (const Weight& weight : weights) {
    WeightEntry& entry = packed.entries.emplace_back();
    entry.name = weight.name;
    entry.type = weight.type;
    entry.dims = weight.dims;
    if (const auto* range = std::get_if<onnx::WeightRange>(&weight.elements)) {
      const auto [found, added] =
          known.emplace(range->file.get(), static_cast<std::uint32_t>(packed.files.size()));
      if (added) packed.files.push_back(range->file->descriptor());
      entry.source = WeightEntry::Source::kFile;
      entry.file = found->second;
      entry.offset = range->offset;
      entry.length = range->length;
    } else if (const auto* recipe = std::get_if<SeededTensor>(&weight.elements)) {
      entry.source = WeightEntry::Source::kSeeded;
      entry.recipe = *recipe;
    } else {
      const auto& bytes = std::get<std::vector<std::byte>>(weight.elements);
      entry.bytes.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    }
  }
  return packed;
}

std::span<std::byte> WeightStore::allocate_file(std::size_t bytes, Place& place) {
  if (bytes < kWorthAFile) return {};
  std::optional<MemoryFile> file = MemoryFile::make(folder_, bytes);
  if (!file) return {};
  place = {file->bytes(), file->path()};
  return memory_files_.emplace_back(std::move(*file)).bytes();
}

Result<std::span<std::byte>> WeightStore::allocate(std::size_t bytes, Place& place) {
  void* data = ::mmap(nullptr, std::max<std::size_t>(bytes, 1), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED)
    return environment_error("RIDGE-RT-0033", fmt::format("no memory for {} bytes", bytes));
  memory_.push_back(ipc::Mapping::adopt(data, bytes));
  place = {memory_.back().bytes()};
  return memory_.back().bytes();
}

Result<WeightStore::Place> WeightStore::place_in_file(const WeightEntry& entry, std::size_t size) {
  if (entry.file >= files_.size()) return bug("a weight lies in a file that was not sent", "load");
  const WeightFile& file = files_[entry.file];
  const std::span<std::byte> bytes = file.mapping.bytes();
  if (entry.length != static_cast<std::int64_t>(size)) return too_few(entry.length, size);
  const std::optional<std::int64_t> end = checked_add(entry.offset, entry.length);
  if (entry.offset < 0 || !end || *end > std::ssize(bytes)) {
    return bad_weight(fmt::format("its bytes at {} lie outside the file of {} bytes", entry.offset,
                                  bytes.size()));
  }
  const std::span<std::byte> range = bytes.subspan(static_cast<std::size_t>(entry.offset), size);
  if (size >= kWorthAFile && entry.offset % kWeightAlignment == 0 && !file.path.empty())
    return Place{range, file.path, entry.offset};
  Place place;
  std::span<std::byte> copy = allocate_file(size, place);
  const std::int64_t element = onnx::storage_bytes(entry.type, 1).value_or(1);
  const bool aligned = entry.offset % std::max<std::int64_t>(element, 1) == 0;
  if (copy.empty() && aligned) return Place{range};
  if (copy.empty()) copy = TRY(allocate(size, place));
  std::copy(range.begin(), range.end(), copy.begin());
  return place;
}

Result<WeightStore::Place> WeightStore::place(const WeightEntry& entry) {
  const std::optional<std::int64_t> elements = element_product(entry.dims);
  const std::optional<std::int64_t> needed =
      elements ? onnx::storage_bytes(entry.type, *elements) : std::nullopt;
  if (!needed) return bad_weight("its shape or type has no storage");
  const auto size = static_cast<std::size_t>(*needed);
  switch (entry.source) {
    case WeightEntry::Source::kFile:
      return place_in_file(entry, size);
    case WeightEntry::Source::kInline:
      if (entry.bytes.size() != size) return too_few(std::ssize(entry.bytes), size);
      return Place{std::as_bytes(std::span(entry.bytes))};
    case WeightEntry::Source::kSeeded:
      break;
  }
  Place place;
  std::span<std::byte> made = allocate_file(size, place);
  if (made.empty()) made = TRY(allocate(size, place));
  // Fresh memory is zero and takes no room until it is touched.
  const bool zero = entry.recipe.mean == 0 && entry.recipe.scale == 0;
  if (!zero) TRY(onnx::generate(entry.recipe, entry.type, 0, made));
  return place;
}

Result<WeightStore> WeightStore::make(std::vector<WeightEntry> entries,
                                      const std::vector<ipc::Descriptor>& files,
                                      std::string folder) {
  WeightStore store;
  store.folder_ = std::move(folder);
  for (const ipc::Descriptor& file : files) {
    struct stat status {};
    if (::fstat(file.get(), &status) != 0) return bug("a weight file is not open", "load");
    store.files_.push_back(
        {TRY(ipc::Mapping::map(file.get(), static_cast<std::size_t>(status.st_size),
                               ipc::Mapping::Access::kRead)),
         store.folder_.empty() ? std::string() : file.path()});
  }
  store.entries_ = std::move(entries);
  for (const WeightEntry& entry : store.entries_) {
    Place place = TRY_IN(fmt::format("weight '{}'", entry.name), store.place(entry));
    RidgeTensor tensor{};
    tensor.size = sizeof(tensor);
    tensor.type = static_cast<std::int32_t>(entry.type);
    tensor.name = entry.name.c_str();
    tensor.dims = entry.dims.data();
    tensor.rank = static_cast<std::uint32_t>(entry.dims.size());
    tensor.data = place.elements.data();
    tensor.bytes = place.elements.size();
    store.tensors_.push_back(tensor);
    if (place.path.empty()) store.in_memory_.push_back(tensor);
    if (!place.path.empty()) store.in_files_.emplace(entry.name, std::move(place));
  }
  return store;
}

void WeightStore::let_go_of_pages() {
  for (const WeightFile& file : files_) {
    const std::span<std::byte> bytes = file.mapping.bytes();
    if (!bytes.empty()) ::madvise(bytes.data(), bytes.size(), MADV_DONTNEED);  // never written
  }
}

std::string WeightStore::name_files(std::string_view model) const {
  if (in_files_.empty()) return {};
  Result<onnx::Document> document = onnx::read_bytes(model, "the model");
  if (!document) return {};
  onnx::Graph& graph = document->model.graph;
  const std::span<onnx::Tensor> tensors = document->arena.copy(graph.initializers);
  for (onnx::Tensor& tensor : tensors) {
    const auto found = in_files_.find(tensor.name);
    if (!tensor.external || found == in_files_.end()) continue;
    tensor.location = std::string_view(found->second.path).substr(1);
    tensor.offset = found->second.offset;
  }
  graph.initializers = tensors;
  Result<std::string> named = onnx::write_bytes(*document, {.weights = onnx::Weights::kReferenced});
  return named ? std::move(*named) : std::string();
}

}  // namespace ridge::runtime
