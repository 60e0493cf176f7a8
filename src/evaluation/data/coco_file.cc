// SPDX-License-Identifier: Apache-2.0
#include "evaluation/data/coco_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <nlohmann/json.hpp>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/file.h"
#include "base/lines.h"
#include "evaluation/data/ground_truth.h"

namespace ridge::evaluation {
namespace {

using nlohmann::json;

constexpr std::int64_t kMaxCocoBytes = std::int64_t{4} << 30;
constexpr std::int64_t kMaxOfValue = std::int64_t{16} << 20;
constexpr std::int64_t kBlock = std::int64_t{1} << 20;
constexpr int kDeepest = 64;

/// The bytes of a file, block by block, and how many of them the value being read has.
class BlockReader {
 public:
  explicit BlockReader(const File& file) : file_(file) {}

  bool at_end() {
    if (at_ < filled_) return false;
    if (failure_ || of_value_ > kMaxOfValue || offset_ >= file_.size()) return true;
    filled_ = std::min(kBlock, file_.size() - offset_);
    block_.resize(static_cast<std::size_t>(filled_));
    Result<void> read = file_.read_at(offset_, std::as_writable_bytes(std::span(block_)));
    if (!read.ok()) failure_ = std::move(read).error();
    at_ = failure_ ? filled_ : 0;
    offset_ += filled_;
    of_value_ += filled_;
    return failure_.has_value();
  }
  char get() const { return block_[static_cast<std::size_t>(at_)]; }
  void next() { ++at_; }
  /// Begins the next value.
  void value_ended() { of_value_ = 0; }

  std::int64_t offset() const { return offset_ - filled_ + at_; }
  bool value_too_long() const { return of_value_ > kMaxOfValue; }
  const std::optional<Error>& failure() const { return failure_; }

 private:
  const File& file_;
  std::vector<char> block_;
  std::int64_t offset_ = 0, filled_ = 0, at_ = 0, of_value_ = 0;
  std::optional<Error> failure_;
};

/// Input iterator for the JSON library. All copies read on together.
class Reading {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = char;

  explicit Reading(BlockReader* bytes = nullptr) : bytes_(bytes) {}
  char operator*() const { return bytes_->get(); }
  Reading& operator++() {
    bytes_->next();
    return *this;
  }
  void operator++(int) { bytes_->next(); }
  /// The end has no bytes.
  friend bool operator==(const Reading& a, const Reading& b) { return a.ended() == b.ended(); }
  friend bool operator!=(const Reading& a, const Reading& b) { return !(a == b); }

 private:
  bool ended() const { return bytes_ == nullptr || bytes_->at_end(); }

  BlockReader* bytes_;
};

enum class Section : std::uint8_t { kOther, kImages, kAnnotations, kCategories };

std::string_view section_name(Section section) {
  switch (section) {
    case Section::kImages:
      return "images";
    case Section::kAnnotations:
      return "annotations";
    case Section::kCategories:
      return "categories";
    case Section::kOther:
      break;
  }
  return "";
}

/// The members in use of an element of a section.
struct Element {
  std::optional<std::int64_t> id, image, category, crowd;
  std::optional<std::string> text;  ///< file_name or name
  std::optional<double> area;
  std::vector<double> box;
};

/// Receives the library's events; false ends the reading, with failure() set. The file is an object
/// at depth 1 with sections at depth 2, whose elements are objects at depth 3.
class Events final : public nlohmann::json_sax<json> {
 public:
  Events(CocoHandler& handler, BlockReader& bytes) : handler_(handler), bytes_(bytes) {}

  bool null() override { return value_ended(); }
  bool boolean(bool value) override { return number(value ? 1 : 0, value ? 1 : 0); }
  bool number_integer(std::int64_t value) override {
    return number(value, static_cast<double>(value));
  }
  bool number_unsigned(std::uint64_t value) override {
    const bool fits = value <= INT64_MAX;
    return number(fits ? std::optional(static_cast<std::int64_t>(value)) : std::nullopt,
                  static_cast<double>(value));
  }
  bool number_float(double value, const std::string&) override {
    return number(std::nullopt, value);
  }
  bool string(std::string& value) override {
    if (is_member() && (key_ == "file_name" || key_ == "name")) element_.text = std::move(value);
    return value_ended();
  }
  bool binary(json::binary_t&) override { return false; }
  bool start_object(std::size_t) override {
    if (++depth_ > kDeepest) return too_deep();
    if (depth_ == 3) element_ = {};
    return value_ended();
  }
  bool key(std::string& value) override {
    if (depth_ == 1) begin_section(value);
    if (depth_ == 3) key_ = std::move(value);
    return value_ended();
  }
  bool end_object() override {
    const bool element = depth_-- == 3 && is_list_;
    if (element && section_ != Section::kOther && !take()) return false;
    return value_ended();
  }
  bool start_array(std::size_t) override {
    if (depth_ == 0) return fail(faulty_truth("it has no annotations: this is not a JSON object"));
    if (depth_ == 1) is_list_ = true;
    return ++depth_ <= kDeepest ? value_ended() : too_deep();
  }
  bool end_array() override {
    --depth_;
    return value_ended();
  }
  bool parse_error(std::size_t, const std::string&, const json::exception&) override {
    if (bytes_.failure()) return fail(Error(*bytes_.failure()));
    if (bytes_.value_too_long())
      return fail(faulty_truth(fmt::format("a value has more than {} bytes", kMaxOfValue)));
    return fail(faulty_truth("it has no annotations: this is not valid JSON")
                    .evidence(fmt::format("near byte {}", bytes_.offset()))
                    .hint("the file may be truncated; download it again"));
  }

  /// The sections that must be there.
  Result<void> finish() {
    if (failure_) return std::move(*failure_);
    for (const Section s : {Section::kCategories, Section::kImages, Section::kAnnotations})
      if (!seen_[static_cast<std::size_t>(s)])
        return faulty_truth(
            fmt::format("it has no annotations of COCO: it lacks value at /{}", section_name(s)));
    return {};
  }

 private:
  bool fail(Error error) {
    failure_ = std::move(error);
    return false;
  }
  bool too_deep() {
    return fail(
        faulty_truth(fmt::format("brackets are nested more than {} levels deep", kDeepest)));
  }
  bool value_ended() {
    bytes_.value_ended();
    return true;
  }
  bool is_member() const { return depth_ == 3 && is_list_; }

  void begin_section(std::string_view key) {
    section_ = Section::kOther;
    for (const Section s : {Section::kImages, Section::kAnnotations, Section::kCategories})
      if (key == section_name(s)) section_ = s;
    seen_[static_cast<std::size_t>(section_)] = true;
    is_list_ = false;
    index_ = 0;
  }

  bool number(std::optional<std::int64_t> whole, double value) {
    const bool in_box = depth_ == 4 && is_list_ && key_ == "bbox";
    if (in_box && element_.box.size() <= 4) element_.box.push_back(value);
    if (is_member()) {
      if (key_ == "id") element_.id = whole;
      if (key_ == "image_id") element_.image = whole;
      if (key_ == "category_id") element_.category = whole;
      if (key_ == "iscrowd") element_.crowd = whole;
      if (key_ == "area") element_.area = value;
    }
    return value_ended();
  }

  bool lacks(std::string_view what) {
    return fail(coco_lacks(what, section_name(section_), index_));
  }

  bool take() {
    const bool taken = section_ == Section::kAnnotations ? take_annotation() : take_named();
    ++index_;
    return taken;
  }
  bool take_named() {
    if (!element_.id) return lacks("integer id");
    const bool image = section_ == Section::kImages;
    if (!element_.text) return lacks(image ? "file_name" : "name");
    return took(image ? handler_.image(*element_.id, std::move(*element_.text))
                      : handler_.category(*element_.id, std::move(*element_.text)));
  }
  bool take_annotation() {
    CocoAnnotation out{.id = element_.id, .area = element_.area};
    if (!element_.image) return lacks("integer image_id");
    if (!element_.category) return lacks("integer category_id");
    if (element_.box.size() != 4) return lacks("bbox of four numbers");
    out.image = *element_.image;
    out.category = *element_.category;
    out.crowd = element_.crowd.value_or(0) != 0;
    std::ranges::copy(element_.box, out.box.begin());
    if (out.box[2] < 0 || out.box[3] < 0) return lacks("bbox of a width and height from 0");
    return took(handler_.annotation(out));
  }
  bool took(Result<void> result) { return result.ok() || fail(std::move(result).error()); }

  CocoHandler& handler_;
  BlockReader& bytes_;
  int depth_ = 0;
  Section section_ = Section::kOther;
  bool is_list_ = false;  ///< the section is an array
  std::size_t index_ = 0;
  std::array<bool, 4> seen_{};
  std::string key_;
  Element element_;
  std::optional<Error> failure_;
};

Result<void> check_beginning(const File& file) {
  std::array<char, 4> head{};
  const auto size = static_cast<std::size_t>(std::min<std::int64_t>(4, file.size()));
  TRY(file.read_at(0, std::as_writable_bytes(std::span(head.data(), size))));
  return check_encoding({head.data(), size});
}

}  // namespace

Error coco_lacks(std::string_view what, std::string_view section, std::size_t index) {
  return faulty_truth(
      fmt::format("it has no annotations of COCO: it lacks {} at /{}/{}", what, section, index));
}

Result<void> read_coco_file(const std::string& path, CocoHandler& handler) {
  const auto read = [&]() -> Result<void> {
    const File file = TRY(File::open(path));
    if (file.size() > kMaxCocoBytes)
      return faulty_truth(
          fmt::format("it has {} bytes, the limit is {}", file.size(), kMaxCocoBytes));
    TRY(check_beginning(file));
    BlockReader bytes(file);
    Events events(handler, bytes);
    json::sax_parse(Reading(&bytes), Reading(), &events);
    return events.finish();
  };
  Result<void> out = read();
  if (!out.ok()) return std::move(out).error().in_file(path);
  return out;
}

}  // namespace ridge::evaluation
