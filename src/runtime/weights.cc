#include "runtime/weights.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <map>
#include <optional>

#include "base/checked.h"

namespace ridge::runtime {
namespace {

std::optional<std::int64_t> product(std::span<const std::int64_t> dims) {
  std::optional<std::int64_t> elements = 1;
  for (const std::int64_t dim : dims) {
    if (dim < 0) return std::nullopt;
    elements = checked_mul(*elements, dim);
    if (!elements) return std::nullopt;
  }
  return elements;
}

Error bad_weight(std::string message) { return input_error("RIDGE-RT-0032", std::move(message)); }

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

std::span<std::byte> WeightStore::allocate(std::size_t bytes) {
  void* data = ::mmap(nullptr, std::max<std::size_t>(bytes, 1), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED) return {};
  memory_.push_back(Mapping::adopt(data, bytes));
  return memory_.back().bytes();
}

Result<std::span<const std::byte>> WeightStore::elements_of(const WeightEntry& entry) {
  const std::optional<std::int64_t> elements = product(entry.dims);
  const std::optional<std::int64_t> needed =
      elements ? onnx::storage_bytes(entry.type, *elements) : std::nullopt;
  if (!needed) return bad_weight("its shape or type has no storage");
  const auto size = static_cast<std::size_t>(*needed);
  const auto too_few = [&](std::int64_t have) {
    return bad_weight(fmt::format("{} bytes are there, its shape needs {}", have, *needed));
  };

  if (entry.source == WeightEntry::Source::kInline) {
    if (entry.bytes.size() != size) return too_few(static_cast<std::int64_t>(entry.bytes.size()));
    return std::as_bytes(std::span(entry.bytes));
  }
  if (entry.source == WeightEntry::Source::kFile) {
    if (entry.file >= files_.size())
      return bug("a weight lies in a file that was not sent", "load");
    const std::span<std::byte> file = files_[entry.file].bytes();
    if (entry.length != *needed) return too_few(entry.length);
    const std::optional<std::int64_t> end = checked_add(entry.offset, *needed);
    if (entry.offset < 0 || !end || *end > static_cast<std::int64_t>(file.size())) {
      return bad_weight(fmt::format("its bytes at {} lie outside the file of {} bytes",
                                    entry.offset, file.size()));
    }
    const std::span<std::byte> range = file.subspan(static_cast<std::size_t>(entry.offset), size);
    const auto alignment = static_cast<std::uintptr_t>(
        std::max<std::int64_t>(onnx::storage_bytes(entry.type, 1).value_or(1), 1));
    if (reinterpret_cast<std::uintptr_t>(range.data()) % alignment == 0)
      return std::span<const std::byte>(range);
    const std::span<std::byte> copy = allocate(size);
    if (copy.empty() && size > 0) return environment_error("RIDGE-RT-0033", "out of memory");
    std::copy(range.begin(), range.end(), copy.begin());
    return std::span<const std::byte>(copy);
  }
  const std::span<std::byte> made = allocate(size);
  if (made.empty() && size > 0) {
    return environment_error("RIDGE-RT-0034",
                             fmt::format("no memory for {} bytes of seeded weights", size));
  }
  TRY(onnx::generate(entry.recipe, entry.type, 0, made));
  return std::span<const std::byte>(made);
}

Result<WeightStore> WeightStore::make(std::vector<WeightEntry> entries,
                                      std::vector<Descriptor> files) {
  WeightStore store;
  for (const Descriptor& file : files) {
    struct stat status {};
    if (::fstat(file.get(), &status) != 0) return bug("a weight file is not open", "load");
    store.files_.push_back(TRY(Mapping::map(file.get(), static_cast<std::size_t>(status.st_size),
                                            Mapping::Access::kRead)));
  }
  store.entries_ = std::move(entries);
  for (const WeightEntry& entry : store.entries_) {
    const std::span<const std::byte> elements =
        TRY_IN(fmt::format("weight '{}'", entry.name), store.elements_of(entry));
    RidgeTensor tensor{};
    tensor.size = sizeof(tensor);
    tensor.type = static_cast<std::int32_t>(entry.type);
    tensor.name = entry.name.c_str();
    tensor.dims = entry.dims.data();
    tensor.rank = static_cast<std::uint32_t>(entry.dims.size());
    tensor.data = elements.data();
    tensor.bytes = elements.size();
    store.tensors_.push_back(tensor);
  }
  return store;
}

}  // namespace ridge::runtime
