// SPDX-License-Identifier: Apache-2.0
#include "evaluation/data/data.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/checked.h"
#include "base/text.h"
#include "evaluation/data/ground_truth.h"
#include "evaluation/data/sample_labels.h"
#include "evaluation/data/sample_source.h"
#include "evaluation/data/text_source.h"

namespace ridge::evaluation {
namespace {

/// Larger files of labels are read again where they are used.
constexpr std::int64_t kMaxLabelBytes = std::int64_t{64} << 20;
constexpr std::size_t kSetAlignment = 64;

/// Most bytes of labels that are kept until they are used. Annotations of COCO are read as a stream
/// whatever their size (coco_file.h), so they are read twice and never kept.
std::int64_t kept_bytes(Metric metric) { return metric == Metric::kCoco ? 0 : kMaxLabelBytes; }

Result<DataTarget> target_of(const analysis::Resolved& resolved, const attribution::Port& port) {
  const ops::Type& type = resolved.type(port.value);
  DataTarget out{.name = std::string(port.name),
                 .original = std::string(port.original_name),
                 .type = type.dtype,
                 .dims = {}};
  for (const ops::Dim& d : type.shape.span()) out.dims.push_back(d.known() ? d.value() : 0);
  if (out.dims.empty() || std::ranges::find(out.dims, 0) != out.dims.end())
    return unfit_data(fmt::format("input '{}' has no known shape", port.original_name));
  out.batch = out.dims[0];
  std::optional<std::int64_t> elements = 1;  // of a sample
  for (const std::int64_t d : std::span(out.dims).subspan(1))
    if (elements) elements = checked_mul(*elements, d);
  if (!elements)
    return unfit_data(fmt::format("input '{}' is larger than any memory", port.original_name));
  const auto bytes = onnx::storage_bytes(out.type, *elements);
  if (!bytes)
    return unfit_data(
        fmt::format("input '{}' is of type {}", port.original_name, onnx::name(out.type)));
  out.sample_bytes = static_cast<std::size_t>(*bytes);
  return out;
}

Result<std::vector<DataTarget>> targets_of(const EvaluationData& data,
                                           const analysis::Resolved& resolved,
                                           const attribution::Canonical& copy) {
  std::vector<const attribution::Port*> inputs;
  for (const attribution::Port& port : copy.inputs)
    if (resolved.model().value(port.value).tensor == nullptr) inputs.push_back(&port);
  if (inputs.empty() || (inputs.size() != 1 && !is_text(data)))
    return unfit_data(
               fmt::format("data is for models of one input, this one has {}", inputs.size()))
        .hint("give arrays for the inputs instead: --input name=FILE.npy");
  std::vector<DataTarget> out;
  for (const attribution::Port* port : inputs) {
    out.push_back(TRY(target_of(resolved, *port)));
    if (out.back().batch != out[0].batch)
      return unfit_data(fmt::format("inputs '{}' and '{}' have batches of {} and {}",
                                    out[0].original, out.back().original, out[0].batch,
                                    out.back().batch));
  }
  return out;
}

/// `bytes`: content of the labels' file; nullptr: not read yet.
Result<SampleLabels> read_labels(const EvaluationData& data, const std::string* bytes,
                                 const std::vector<std::string>& names) {
  const std::string text = TRY(text_of(data.labels, bytes, kMaxLabelBytes));
  auto out = read_sample_labels(text, names, data.limit == 0 ? Whole::kYes : Whole::kNo);
  if (!out.ok()) return std::move(out).error().in_file(data.labels);
  return out;
}

/// Images that the decoder warned about, and what it said first.
class DamagedSamples {
 public:
  void add(const std::string& name, const std::string& warning) {
    if (warning.empty()) return;
    if (count_++ == 0) warning_ = warning;
    if (count_ <= kShown) names_.push_back(printable(name));
  }
  std::vector<std::string> notes() const {
    if (count_ == 0) return {};
    return {fmt::format("{} {} damaged, so pixels may be wrong: {}{} ({})",
                        counted(count_, "image"), count_ == 1 ? "is" : "are",
                        fmt::join(names_, ", "), count_ > kShown ? ", ..." : "", warning_)};
  }

 private:
  static constexpr std::int64_t kShown = 3;

  std::int64_t count_ = 0;
  std::vector<std::string> names_;
  std::string warning_;
};

std::size_t padded_bytes(std::size_t bytes) {
  return (bytes + kSetAlignment - 1) / kSetAlignment * kSetAlignment;
}

/// Memory of samples, set after set, in each input after input, each at a multiple of
/// kSetAlignment.
class SamplePlaces {
 public:
  explicit SamplePlaces(const std::vector<DataTarget>& targets)
      : batch_(static_cast<std::size_t>(targets[0].batch)) {
    for (const DataTarget& target : targets) {
      inputs_.push_back({stride_, target.sample_bytes});
      stride_ += padded_bytes(batch_ * target.sample_bytes);
    }
  }

  std::size_t batch() const { return batch_; }
  std::size_t stride() const { return stride_; }
  std::size_t begin(std::size_t set, std::size_t input) const {
    return set * stride_ + inputs_[input].begin;
  }
  SampleInputs of(std::size_t position, std::span<std::byte> memory) const {
    SampleInputs out;
    for (std::size_t i = 0; i < inputs_.size(); ++i)
      out.push_back(
          memory.subspan(begin(position / batch_, i) + position % batch_ * inputs_[i].sample_bytes,
                         inputs_[i].sample_bytes));
    return out;
  }

 private:
  struct Input {
    std::size_t begin, sample_bytes;
  };

  std::size_t batch_, stride_ = 0;
  std::vector<Input> inputs_;
};

Result<void> read_samples(DataSource& source, const SamplePlaces& places, DataSamples& out) {
  const std::span<std::byte> memory = out.samples.memory.bytes();
  const std::size_t count = out.names.size();
  DamagedSamples damage;
  FilesHash hash;
  bool hashed = false;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t known = out.steps.size();
    TRY_IN(fmt::format("sample '{}'", out.names[i]),
           source.read(i, out.targets, places.of(i, memory), out.steps));
    for (StepSpan& span : std::span(out.steps).subspan(known))
      span.sample = static_cast<std::uint32_t>(i);
    out.sizes.push_back(source.image_size());
    damage.add(out.names[i], source.image_warning());
    if (source.file_sha256().empty()) continue;
    hash.add(out.names[i], source.file_sha256());
    hashed = true;
  }
  if (hashed) out.sha256 = hash.hex();
  out.damaged = damage.notes();
  // The last batch begins again with the first samples.
  for (std::size_t i = count; count > 0 && i < out.samples.sets.size() * places.batch(); ++i) {
    const SampleInputs from = places.of(i % count, memory), to = places.of(i, memory);
    for (std::size_t input = 0; input < from.size(); ++input)
      std::ranges::copy(from[input], to[input].begin());
  }
  return {};
}

Result<DataSamples> load_for(const EvaluationData& data, DataSource& source,
                             const LabelsFile& truth, std::vector<DataTarget> targets) {
  std::size_t count = source.size();
  if (data.limit > 0) count = std::min<std::size_t>(count, data.limit);
  if (count == 0) return unfit_data("there are no samples").in_file(data.source);
  const SamplePlaces places(targets);
  const std::size_t sets = (count + places.batch() - 1) / places.batch();
  if (places.stride() > static_cast<std::size_t>(kMaxSampleBytes) / sets)
    return unfit_data(fmt::format("{} samples take more than 4 GiB", count)).hint("use --limit N");
  DataSamples out;
  out.targets = std::move(targets);
  out.batch = places.batch();
  out.samples.memory = TRY(ipc::SharedMemory::make(sets * places.stride()));
  for (std::size_t i = 0; i < count; ++i) out.names.push_back(source.name(i));
  for (std::size_t set = 0; set < sets; ++set) {
    std::vector<runtime::InputTensor>& inputs = out.samples.sets.emplace_back();
    for (std::size_t i = 0; i < out.targets.size(); ++i) {
      const DataTarget& target = out.targets[i];
      inputs.push_back({.name = target.name,
                        .type = target.type,
                        .dims = target.dims,
                        .offset = static_cast<std::int64_t>(places.begin(set, i)),
                        .bytes = static_cast<std::int64_t>(out.batch * target.sample_bytes),
                        .kind = RIDGE_TENSOR,
                        .members = {}});
    }
  }
  TRY(read_samples(source, places, out));
  if (data.labels.empty()) return out;
  if (data.metric != Metric::kTopK) {
    out.truth = truth.bytes;
    return out;
  }
  SampleLabels labels = TRY(read_labels(data, truth.bytes.get(), out.names));
  out.labels = std::move(labels.classes);
  out.notes = std::move(labels.notes);
  return out;
}

}  // namespace

std::string DataTarget::shape_text() const { return fmt::format("{}", fmt::join(dims, "x")); }

Result<DataCache> DataCache::open(EvaluationData data, HashData when, const HashWatch& watch) {
  DataCache out(std::move(data));
  if (!out.data_.source.empty()) {
    out.files_ = TRY(find_files(out.data_));
    if (when == HashData::kBefore || out.files_->file)
      out.sha256_ = TRY(data_sha256(*out.files_, watch));
  }
  if (!out.data_.labels.empty())
    out.labels_ = TRY(read_labels_file(out.data_.labels, kept_bytes(out.data_.metric), watch));
  return out;
}

Result<const DataSamples*> DataCache::load(const analysis::Resolved& resolved,
                                           const attribution::Canonical& copy) {
  std::vector<DataTarget> targets = TRY(targets_of(data_, resolved, copy));
  if (made_ && made_->targets == targets) return &*made_;
  if (!files_ && source_ == nullptr) return bug("data of no source", "DataCache::load");
  if (source_ == nullptr) {
    const HashFiles hash = sha256_.empty() ? HashFiles::kYes : HashFiles::kNo;
    source_ = TRY(open_source(data_, *std::exchange(files_, {}), hash));
  }
  made_ = TRY(load_for(data_, *source_, labels_, std::move(targets)));
  return &*made_;
}

}  // namespace ridge::evaluation
