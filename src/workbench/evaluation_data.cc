#include "workbench/evaluation_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <unordered_map>

#include "base/checked.h"
#include "base/file.h"
#include "base/number.h"
#include "base/text.h"
#include "base/trim.h"
#include "pipeline/pipeline.h"
#include "runtime/npy.h"

namespace ridge::workbench {
namespace {

using pipeline::Image;
using pipeline::Tensor;

constexpr std::int64_t kMostFileBytes = std::int64_t{256} << 20;
constexpr std::int64_t kMostLabelBytes = std::int64_t{64} << 20;
constexpr std::size_t kMostSamples = 10'000'000;
constexpr std::size_t kAlignment = 64;

Error refused(std::string message) { return input_error("RIDGE-WB-0111", std::move(message)); }

/// The input that samples are for: its name in the copy, type, and size of one sample.
struct Target {
  std::string name;
  onnx::DataType type = onnx::DataType::kUndefined;
  std::vector<std::int64_t> dims;
  std::int64_t batch = 1;
  std::size_t sample_bytes = 0;

  std::string shape_text() const { return fmt::format("{}", fmt::join(dims, "x")); }
};

Result<Target> target_of(const analysis::Resolved& resolved, const attribution::Canonical& copy) {
  std::vector<const attribution::Port*> inputs;
  for (const attribution::Port& port : copy.inputs)
    if (resolved.model().value(port.value).tensor == nullptr) inputs.push_back(&port);
  if (inputs.size() != 1)
    return refused(fmt::format("data is for models of one input, this one has {}", inputs.size()))
        .hint("give arrays for the inputs instead: --input name=FILE.npy");
  const ops::Type& type = resolved.type(inputs[0]->value);
  Target out{.name = std::string(inputs[0]->name), .type = type.dtype, .dims = {}};
  for (const ops::Dim& d : type.shape.span()) out.dims.push_back(d.known() ? d.value() : 0);
  if (out.dims.empty() || std::ranges::find(out.dims, 0) != out.dims.end())
    return refused(fmt::format("input '{}' has no known shape", inputs[0]->original_name));
  out.batch = out.dims[0];
  std::optional<std::int64_t> elements = 1;  // of a sample
  for (const std::int64_t d : std::span(out.dims).subspan(1))
    if (elements) elements = checked_mul(*elements, d);
  if (!elements)
    return refused(fmt::format("input '{}' is larger than any memory", inputs[0]->original_name));
  const auto bytes = onnx::storage_bytes(out.type, *elements);
  if (!bytes)
    return refused(
        fmt::format("input '{}' is of type {}", inputs[0]->original_name, onnx::name(out.type)));
  out.sample_bytes = static_cast<std::size_t>(*bytes);
  return out;
}

/// Writes a sample where it belongs; its number of elements and type must be those of the input.
Result<void> put(const Tensor& tensor, const Target& target, std::span<std::byte> out) {
  const auto give = [&](const auto& elements, onnx::DataType type) -> Result<void> {
    const std::size_t bytes = elements.size() * sizeof(elements[0]);
    if (type != target.type || bytes != out.size())
      return refused(fmt::format("the sample is {} {}, the input takes {} {}",
                                 fmt::join(tensor.dims, "x"), onnx::name(type), target.shape_text(),
                                 onnx::name(target.type)))
          .hint("add steps: resize(...), normalize(...), layout(nchw)");
    std::memcpy(out.data(), elements.data(), bytes);
    return {};
  };
  if (tensor.is_float()) return give(tensor.floats(), onnx::DataType::kFloat);
  return give(std::get<std::vector<std::uint8_t>>(tensor.elements), onnx::DataType::kUint8);
}

bool is_image(const std::filesystem::path& path) {
  std::string ending = path.extension().string();
  for (char& c : ending) c = static_cast<char>(c | 0x20);
  return ending == ".jpg" || ending == ".jpeg" || ending == ".png";
}

/// Origin of samples.
class Source {
 public:
  virtual ~Source() = default;
  virtual std::size_t size() const = 0;
  virtual std::string name(std::size_t sample) const = 0;
  virtual Result<void> read(std::size_t sample, const Target& target, std::span<std::byte> out) = 0;
};

class Folder final : public Source {
 public:
  static Result<std::unique_ptr<Source>> open(const EvaluationData& data) {
    auto out = std::make_unique<Folder>();
    out->steps_ = data.steps;
    std::error_code failed;
    for (const auto& entry : std::filesystem::directory_iterator(data.source, failed)) {
      if (!entry.is_regular_file(failed) || !is_image(entry.path())) continue;
      out->paths_.push_back(entry.path().string());
      if (out->paths_.size() > kMostSamples) return refused("the folder has too many files");
    }
    if (failed)
      return environment_error("RIDGE-WB-0113", "the folder cannot be read: " + failed.message())
          .in_file(data.source);
    std::ranges::sort(out->paths_);
    return std::unique_ptr<Source>(std::move(out));
  }
  std::size_t size() const override { return paths_.size(); }
  std::string name(std::size_t sample) const override {
    return std::filesystem::path(paths_[sample]).filename().string();
  }
  Result<void> read(std::size_t sample, const Target& target, std::span<std::byte> out) override {
    const std::string bytes = TRY(read_file(paths_[sample], kMostFileBytes));
    return put(TRY(pipeline::preprocess(std::as_bytes(std::span(bytes)), steps_)), target, out);
  }

 private:
  std::vector<std::string> paths_;
  std::vector<pipeline::Step> steps_;
};

class Array final : public Source {
 public:
  explicit Array(runtime::Npy npy, std::vector<pipeline::Step> steps)
      : npy_(std::move(npy)), steps_(std::move(steps)) {}
  static Result<std::unique_ptr<Source>> open(const EvaluationData& data) {
    runtime::Npy npy = TRY(runtime::Npy::open(data.source));
    if (npy.header.dims.empty() || npy.header.dims[0] <= 0)
      return refused("the array has no first axis of samples").in_file(data.source);
    return std::unique_ptr<Source>(std::make_unique<Array>(std::move(npy), data.steps));
  }
  std::size_t size() const override { return static_cast<std::size_t>(npy_.header.dims[0]); }
  std::string name(std::size_t sample) const override { return fmt::format("{}", sample); }
  Result<void> read(std::size_t sample, const Target& target, std::span<std::byte> out) override {
    const std::int64_t bytes = npy_.bytes / npy_.header.dims[0];
    const std::int64_t offset = npy_.offset + bytes * static_cast<std::int64_t>(sample);
    if (steps_.empty()) {
      if (npy_.header.type != target.type || bytes != std::ssize(out))
        return refused(fmt::format("the samples are {} of {} bytes, the input takes {} {}",
                                   onnx::name(npy_.header.type), bytes, target.shape_text(),
                                   onnx::name(target.type)))
            .hint("add steps: --steps \"normalize(divide=255) layout(nchw)\"");
      return npy_.file.read_at(offset, out);
    }
    Image image = TRY(blank());
    TRY(npy_.file.read_at(offset, std::as_writable_bytes(std::span(image.data))));
    return put(TRY(pipeline::preprocess(std::move(image), steps_)), target, out);
  }

 private:
  /// An image of the shape of a sample.
  Result<Image> blank() const {
    const std::vector<std::int64_t>& d = npy_.header.dims;
    const std::int64_t channels = d.size() == 4 ? d[3] : 1;
    if (npy_.header.type != onnx::DataType::kUint8 || (d.size() != 3 && d.size() != 4) ||
        channels < 1 || channels > 4)
      return refused(
          "steps are for images: an array of bytes, samples x height x width x channels");
    TRY(pipeline::check_size(d[2], d[1]));
    return pipeline::make_raster<std::uint8_t>({static_cast<int>(d[2]), static_cast<int>(d[1])},
                                               static_cast<int>(channels));
  }

  runtime::Npy npy_;
  std::vector<pipeline::Step> steps_;
};

Result<std::unique_ptr<Source>> open_source(const EvaluationData& data) {
  std::error_code ignored;
  if (std::filesystem::is_directory(data.source, ignored)) return Folder::open(data);
  return Array::open(data);
}

Error bad_labels(const EvaluationData& data, std::size_t line, std::string what) {
  return input_error("RIDGE-WB-0112", fmt::format("line {}: {}", line + 1, what))
      .hint("write a line for each sample with the number of its class, or lines NAME,CLASS")
      .in_file(data.labels);
}

/// Reads labels, by sample or by file name.
Result<std::vector<std::int64_t>> read_labels(const EvaluationData& data,
                                              const std::vector<std::string>& names) {
  const std::string text = TRY(read_file(data.labels, kMostLabelBytes));
  std::unordered_map<std::string_view, std::size_t> position;
  for (std::size_t i = 0; i < names.size(); ++i) position.emplace(names[i], i);
  std::vector<std::int64_t> out(names.size(), -1);
  std::size_t at = 0, line = 0;
  for (std::size_t begin = 0; begin < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view row = trimmed(std::string_view(text).substr(begin, end - begin));
    begin = end + 1;
    if (row.empty()) continue;
    const std::size_t comma = row.rfind(',');
    std::size_t sample = at++;
    if (comma != std::string_view::npos) {
      const auto named = position.find(row.substr(0, comma));
      if (named == position.end()) continue;  // of a sample that is not evaluated
      sample = named->second;
      row = row.substr(comma + 1);
    }
    const auto label = whole_number<std::int64_t>(row);
    if (!label || *label < 0) return bad_labels(data, line, "it has no number of a class");
    if (sample < out.size()) out[sample] = *label;
  }
  const auto missing = std::ranges::find(out, -1);
  if (missing != out.end())
    return input_error("RIDGE-WB-0112",
                       fmt::format("sample '{}' has no label",
                                   names[static_cast<std::size_t>(missing - out.begin())]))
        .hint("write a line for each sample with the number of its class, or lines NAME,CLASS")
        .in_file(data.labels);
  return out;
}

}  // namespace

Result<std::vector<std::string>> image_names(const EvaluationData& data) {
  const std::unique_ptr<Source> folder = TRY(Folder::open(data));
  std::size_t count = folder->size();
  if (data.limit > 0) count = std::min<std::size_t>(count, data.limit);
  std::vector<std::string> out;
  for (std::size_t i = 0; i < count; ++i) out.push_back(folder->name(i));
  return out;
}

Result<DataSamples> load_data(const EvaluationData& data, const analysis::Resolved& resolved,
                              const attribution::Canonical& copy) {
  const Target target = TRY(target_of(resolved, copy));
  const std::unique_ptr<Source> source = TRY(open_source(data));
  std::size_t count = source->size();
  if (data.limit > 0) count = std::min<std::size_t>(count, data.limit);
  if (count == 0) return refused("there are no samples").in_file(data.source);
  const auto batch = static_cast<std::size_t>(target.batch);
  const std::size_t sets = (count + batch - 1) / batch;
  const std::size_t set_bytes = batch * target.sample_bytes;
  const std::size_t stride = (set_bytes + kAlignment - 1) / kAlignment * kAlignment;
  if (stride > static_cast<std::size_t>(kMostSampleBytes) / sets)
    return refused(fmt::format("{} samples take more than 4 GiB", count)).hint("use --limit N");
  DataSamples out;
  out.samples.memory = TRY(ipc::SharedMemory::make(sets * stride));
  for (std::size_t i = 0; i < count; ++i) out.names.push_back(source->name(i));
  for (std::size_t set = 0; set < sets; ++set) {
    out.samples.sets.push_back({{.name = target.name,
                                 .type = target.type,
                                 .dims = target.dims,
                                 .offset = static_cast<std::int64_t>(set * stride),
                                 .bytes = static_cast<std::int64_t>(set_bytes),
                                 .kind = RIDGE_TENSOR,
                                 .members = {}}});
    for (std::size_t i = 0; i < batch; ++i) {
      const std::size_t sample = (set * batch + i) % count;  // the last batch begins again
      TRY_IN(fmt::format("sample '{}'", out.names[sample]),
             source->read(sample, target,
                          out.samples.memory.bytes().subspan(set * stride + i * target.sample_bytes,
                                                             target.sample_bytes)));
    }
  }
  if (!data.labels.empty()) out.labels = TRY(read_labels(data, out.names));
  return out;
}

}  // namespace ridge::workbench
