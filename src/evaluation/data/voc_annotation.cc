// SPDX-License-Identifier: Apache-2.0
#include "evaluation/data/voc_annotation.h"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <utility>

#include "base/number.h"
#include "base/trim.h"
#include "base/xml.h"

namespace ridge::evaluation {
namespace {

constexpr std::array<std::string_view, 4> kCorners = {"xmin", "ymin", "xmax", "ymax"};

/// Elements from the root to one, joined by '/': "annotation/object/bndbox/xmin".
class AnnotationReader final : public XmlHandler {
 public:
  std::vector<VocObject> objects;

  void open(std::string_view name, const XmlAttributes&) override {
    if (ends_.empty() && name != "annotation") return stop("its root is not <annotation>");
    ends_.push_back(path_.size());
    path_ += path_.empty() ? "" : "/";
    path_ += name;
    if (path_ == "annotation/object") {
      object_ = {};
      corners_ = {};
    }
    in_leaf_ = path_.starts_with(kObject);
    text_.clear();
  }

  void text(std::string_view piece) override {
    if (in_leaf_) text_ += piece;
  }

  void close(std::string_view) override {
    take(path_, trimmed(text_));
    path_.resize(ends_.back());
    ends_.pop_back();
    in_leaf_ = false;
  }

 private:
  void take(std::string_view path, std::string_view value) {
    if (path == "annotation/object") return finish();
    if (!path.starts_with(kObject)) return;
    path.remove_prefix(kObject.size());
    if (path == "name") object_.name = value;
    if (path == "difficult") object_.difficult = value == "1";
    for (std::size_t i = 0; i < kCorners.size(); ++i) {
      if (!path.starts_with("bndbox/") || path.substr(7) != kCorners[i]) continue;
      corners_[i] = finite_number(value);
      if (!corners_[i]) stop(fmt::format("'{}' is no number", value.substr(0, 40)));
    }
  }

  void finish() {
    for (std::size_t i = 0; i < kCorners.size(); ++i)
      if (!corners_[i]) return stop(fmt::format("an object without {}", kCorners[i]));
    if (object_.name.empty()) return stop("an object without name");
    object_.box = box_between(*corners_[0], *corners_[1], *corners_[2], *corners_[3]);
    if (!(object_.box.width > 0 && object_.box.height > 0))
      return stop("an object whose second corner is before its first");
    objects.push_back(std::move(object_));
  }

  static constexpr std::string_view kObject = "annotation/object/";

  VocObject object_;
  std::array<std::optional<double>, 4> corners_;
  std::string path_, text_;
  std::vector<std::size_t> ends_;  ///< sizes of `path_` before each open element
  bool in_leaf_ = false;
};

}  // namespace

accuracy::Box box_between(double x_min, double y_min, double x_max, double y_max) {
  return {x_min, y_min, x_max - x_min + 1, y_max - y_min + 1};
}

Result<std::vector<VocObject>> parse_voc_annotation(std::string_view xml) {
  AnnotationReader reader;
  if (const std::optional<XmlFault> fault = read_xml(xml, reader))
    return input_error("RIDGE-WB-0207", fmt::format("line {}: {}", fault->line, fault->what))
        .hint("annotations are the XML files of Pascal VOC, one for each image");
  return std::move(reader.objects);
}

}  // namespace ridge::evaluation
