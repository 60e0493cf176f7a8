// SPDX-License-Identifier: Apache-2.0
#include "evaluation/data/box_truth.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <system_error>
#include <unordered_map>

#include "base/csv.h"
#include "base/file.h"
#include "base/lines.h"
#include "base/number.h"
#include "base/text.h"
#include "base/trim.h"
#include "evaluation/data/coco_file.h"
#include "evaluation/data/voc_annotation.h"

namespace ridge::evaluation {
namespace {

constexpr std::int64_t kMaxBoxBytes = std::int64_t{256} << 20;
constexpr std::int64_t kMaxAnnotationBytes = std::int64_t{16} << 20;
constexpr std::string_view kJoinByName =
    "join them by name: add labels(FILE) to --post, the names of the model's classes in its order";

Error faulty_boxes(const std::string& path, std::string message) {
  return faulty_truth(std::move(message)).in_file(path);
}

/// Classes of a model by the names that a data set gives its categories.
class ClassNames {
 public:
  explicit ClassNames(const std::vector<std::string>& labels) {
    for (std::int64_t i = 0; i < std::ssize(labels); ++i) {
      const auto [at, fresh] = by_name_.emplace(labels[static_cast<std::size_t>(i)], i);
      if (!fresh) at->second = kTwo;
    }
  }
  bool given() const { return !by_name_.empty(); }
  std::optional<std::int64_t> find(std::string_view name) const {
    const auto found = by_name_.find(name);
    if (found == by_name_.end() || found->second == kTwo) return std::nullopt;
    return found->second;
  }
  /// Number of classes that have the name: 0, 1, or 2 for more.
  int count(std::string_view name) const {
    const auto found = by_name_.find(name);
    return found == by_name_.end() ? 0 : found->second == kTwo ? 2 : 1;
  }
  /// Class of a name, or of a number where the model's classes have no names.
  std::optional<std::int64_t> find_or_number(std::string_view text) const {
    if (given()) return find(text);
    const auto number = whole_number(text);
    return number && *number >= 0 ? number : std::nullopt;
  }

 private:
  static constexpr std::int64_t kTwo = -1;

  std::unordered_map<std::string_view, std::int64_t> by_name_;
};

/// Annotations of COCO joined with samples and classes. Those of images that are not evaluated are
/// left out as they come, if the file has its images first, as COCO's files do.
class Coco final : public CocoHandler {
 public:
  explicit Coco(const TruthSource& source)
      : source_(source), classes_(source.labels), images_of_(source.names.size()) {
    for (std::size_t i = 0; i < source.names.size(); ++i) samples_.emplace(source.names[i], i);
  }

  Result<void> image(std::int64_t id, std::string file_name) override {
    const auto sample = samples_.find(std::string_view(file_name));
    const bool known = sample != samples_.end();
    if (!images_.emplace(id, known ? sample->second : kNotEvaluated).second)
      return faulty_boxes(source_.path, fmt::format("two images have the id {}", id));
    if (known && images_of_[sample->second]++ > 0)
      return faulty_boxes(source_.path,
                          fmt::format("two images have the file_name '{}'", printable(file_name)));
    others_ += known ? 0 : 1;
    return {};
  }
  Result<void> category(std::int64_t id, std::string name) override {
    const auto label = classes_.given() ? classes_.find(name) : std::optional(id);
    if (!label)
      return faulty_boxes(
                 source_.path,
                 classes_.count(name) > 1
                     ? fmt::format("two of the labels are '{}'", printable(name))
                     : fmt::format("the category '{}' is none of the labels", printable(name)))
          .hint("use the labels that the model was trained with, or leave labels(FILE) out");
    if (categories_.emplace(id, *label).second) return {};
    return faulty_boxes(source_.path, fmt::format("two categories have the id {}", id));
  }
  Result<void> annotation(const CocoAnnotation& a) override {
    if (a.id) ids_.push_back(*a.id);
    ++annotations_;
    if (const auto image = images_.find(a.image);
        image != images_.end() && image->second == kNotEvaluated)
      return {};
    kept_.push_back({a, annotations_ - 1});
    return {};
  }

  Result<BoxTruth> finish() {
    TRY(check_ids());
    const auto missing = std::ranges::find(images_of_, 0U);
    if (missing != images_of_.end())
      return faulty_boxes(
                 source_.path,
                 fmt::format(
                     "sample '{}' is not among the images",
                     printable(
                         source_.names[static_cast<std::size_t>(missing - images_of_.begin())])))
          .hint("images are joined by \"file_name\"");
    BoxTruth out{.path = source_.path};
    for (const Kept& k : kept_) TRY(add(k, out));
    if (!classes_.given())
      for (const auto& [id, label] : categories_) out.numbers.push_back(id);
    std::ranges::sort(out.numbers);
    if (others_ > 0 && source_.whole == Whole::kYes)
      out.notes.push_back(fmt::format("{} of the annotations {} not among the samples",
                                      counted(others_, "image"), others_ == 1 ? "is" : "are"));
    return out;
  }

 private:
  static constexpr std::size_t kNotEvaluated = SIZE_MAX;

  struct Kept {
    CocoAnnotation annotation;
    std::size_t index = 0;
  };

  Result<void> check_ids() {
    std::ranges::sort(ids_);
    const auto twice = std::ranges::adjacent_find(ids_);
    if (twice == ids_.end()) return {};
    return faulty_boxes(source_.path, fmt::format("two annotations have the id {}", *twice));
  }
  Result<void> add(const Kept& k, BoxTruth& out) const {
    const CocoAnnotation& a = k.annotation;
    const auto lacks = [&](std::string_view what) {
      return coco_lacks(what, "annotations", k.index).in_file(source_.path);
    };
    const auto image = images_.find(a.image);
    const auto label = categories_.find(a.category);
    if (image == images_.end()) return lacks("image_id of an image");
    if (label == categories_.end()) return lacks("category_id of a category");
    if (image->second != kNotEvaluated)
      out.boxes.push_back({image->second,
                           label->second,
                           {a.box[0], a.box[1], a.box[2], a.box[3]},
                           a.area,
                           a.crowd});
    return {};
  }

  const TruthSource& source_;
  ClassNames classes_;
  std::unordered_map<std::string_view, std::size_t> samples_;
  std::unordered_map<std::int64_t, std::size_t> images_;
  std::unordered_map<std::int64_t, std::int64_t> categories_;
  std::vector<std::uint32_t> images_of_;  ///< by sample
  std::vector<std::int64_t> ids_;
  std::vector<Kept> kept_;
  std::size_t annotations_ = 0;
  std::int64_t others_ = 0;
};

/// Numbers of the boxes' classes where those have no names.
void note_numbers(const ClassNames& known, BoxTruth& out) {
  if (known.given()) return;
  std::set<std::int64_t> numbers;
  for (const accuracy::TrueBox& box : out.boxes) numbers.insert(box.category);
  out.numbers.assign(numbers.begin(), numbers.end());
  out.categories = BoxTruth::Categories::kOfBoxes;
}

Result<BoxTruth> read_voc_folder(const TruthSource& source) {
  const ClassNames known(source.labels);
  BoxTruth out{.path = source.path};
  for (std::size_t sample = 0; sample < source.names.size(); ++sample) {
    const std::string path = fmt::format("{}/{}.xml", source.path, stem(source.names[sample]));
    const std::string xml = TRY(read_file(path, kMaxAnnotationBytes));
    Result<std::vector<VocObject>> objects = parse_voc_annotation(xml);
    if (!objects.ok()) return std::move(objects).error().in_file(path);
    for (const VocObject& object : *objects) {
      const auto label = known.find_or_number(object.name);
      if (!label)
        return faulty_boxes(path, fmt::format("'{}' is no class of the model", object.name))
            .hint("add the names of the model's classes to --post: labels(FILE)");
      out.boxes.push_back({sample, *label, object.box, {}, object.difficult});
    }
  }
  note_numbers(known, out);
  return out;
}

/// Lines NAME,CLASS,X_MIN,Y_MIN,X_MAX,Y_MAX[,DIFFICULT].
class VocLines {
 public:
  explicit VocLines(const TruthSource& source)
      : source_(source), samples_(source.names), known_(source.labels) {}

  Result<BoxTruth> read(std::string_view text) {
    for (Lines lines(text); lines.next();)
      if (!trimmed(lines.line()).empty()) TRY(take(lines));
    if (out_.boxes.empty() && others_ > 0)
      return faulty_boxes(source_.path, fmt::format("no line names a sample: '{}' is none",
                                                    printable(first_other_)))
          .evidence(fmt::format("the first sample is '{}'", printable(source_.names.front())));
    note();
    note_numbers(known_, out_);
    out_.path = source_.path;
    return std::move(out_);
  }

 private:
  Error faulty_line(const Lines& at, std::string_view what) const {
    return faulty_boxes(source_.path, fmt::format("line {}: {}", at.number(), what));
  }
  Result<void> take(const Lines& at) {
    const std::vector<std::string_view> f = csv_fields(at.line());
    if (f.size() != 6 && f.size() != 7)
      return faulty_line(at, "it is not NAME,CLASS,X_MIN,Y_MIN,X_MAX,Y_MAX");
    const auto sample = samples_.find(f[0]);
    if (!sample) {  // one that is not evaluated
      if (others_++ == 0) first_other_ = f[0];
      return {};
    }
    const auto label = known_.find_or_number(f[1]);
    if (!label)
      return faulty_line(at, fmt::format("'{}' is no class of the model", f[1]))
          .hint("write numbers, or add labels(FILE) to --post");
    std::array<double, 4> corner{};
    for (std::size_t i = 0; i < 4; ++i) {
      const auto value = finite_number(f[i + 2]);
      if (!value) return faulty_line(at, fmt::format("'{}' is no number", f[i + 2]));
      corner[i] = *value;
    }
    const accuracy::Box box = box_between(corner[0], corner[1], corner[2], corner[3]);
    if (!(box.width > 0 && box.height > 0))
      return faulty_line(at, "its second corner is before its first");
    if (f.size() == 7 && f[6] != "0" && f[6] != "1")
      return faulty_line(at, "the last field, difficult, is not 0 or 1");
    out_.boxes.push_back({*sample, *label, box, {}, f.size() == 7 && f[6] == "1"});
    return {};
  }
  void note() {
    if (others_ > 0 && source_.whole == Whole::kYes)
      out_.notes.push_back(
          fmt::format("{} of samples that the data does not have {} passed over: '{}'{}",
                      counted(others_, "line"), others_ == 1 ? "is" : "are",
                      printable(first_other_), others_ == 1 ? "" : ", ..."));
    std::set<std::size_t> with;
    for (const accuracy::TrueBox& box : out_.boxes) with.insert(box.image);
    const std::int64_t without = std::ssize(source_.names) - std::ssize(with);
    if (without > 0)
      out_.notes.push_back(fmt::format(
          "{} no box", without == 1 ? "1 sample has" : fmt::format("{} samples have", without)));
  }

  const TruthSource& source_;
  SampleNames samples_;
  ClassNames known_;
  BoxTruth out_;
  std::int64_t others_ = 0;
  std::string first_other_;
};

}  // namespace

Result<BoxTruth> read_coco_truth(const TruthSource& source) {
  Coco coco(source);
  TRY(read_coco_file(source.path, coco));
  return coco.finish();
}

Result<BoxTruth> read_voc_truth(const TruthSource& source) {
  std::error_code ignored;
  if (std::filesystem::is_directory(source.path, ignored)) return read_voc_folder(source);
  const std::string text = TRY(text_of(source.path, source.bytes, kMaxBoxBytes));
  return VocLines(source).read(text);
}

Result<void> check_classes(const BoxTruth& truth, std::size_t classes) {
  if (truth.numbers.empty()) return {};
  const std::int64_t first = truth.numbers.front(), last = truth.numbers.back();
  if (first >= 0 && last < static_cast<std::int64_t>(classes)) return {};
  return faulty_boxes(truth.path,
                      fmt::format("a category has the number {}, the model's classes are 0 to {}",
                                  first < 0 ? first : last, static_cast<std::int64_t>(classes) - 1))
      .evidence(fmt::format("{} from {} to {}, {} of the model",
                            counted(std::ssize(truth.numbers), "category number"), first, last,
                            classes == 1 ? "1 class" : fmt::format("{} classes", classes)))
      .hint(std::string(kJoinByName));
}

Result<void> check_found(const BoxTruth& truth, std::int64_t found) {
  if (truth.numbers.empty() || truth.categories == BoxTruth::Categories::kOfBoxes) return {};
  if (std::ranges::binary_search(truth.numbers, found)) return {};
  return faulty_boxes(
             truth.path,
             fmt::format("the model found class {}, and no category has this number", found))
      .hint(std::string(kJoinByName));
}

}  // namespace ridge::evaluation
