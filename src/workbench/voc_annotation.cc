#include "workbench/voc_annotation.h"

#include <expat.h>
#include <fmt/format.h>

#include <array>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "base/number.h"
#include "base/trim.h"

namespace ridge::workbench {
namespace {

constexpr std::size_t kMostDepth = 32;

struct Free {
  void operator()(XML_Parser parser) const { XML_ParserFree(parser); }
};
using Parser = std::unique_ptr<XML_ParserStruct, Free>;

constexpr std::array<std::string_view, 4> kCorners = {"xmin", "ymin", "xmax", "ymax"};

/// Elements from the root to one, joined by '/': "annotation/object/bndbox/xmin".
class Reader {
 public:
  Result<std::vector<VocObject>> run(std::string_view xml) {
    if (xml.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
      return input_error("RIDGE-WB-0207", "the annotation is too large")
          .hint("annotations are the XML files of Pascal VOC, one for each image");
    const Parser parser(XML_ParserCreate(nullptr));
    if (!parser) return environment_error("RIDGE-WB-0206", "out of memory for the XML parser");
    parser_ = parser.get();
    XML_SetUserData(parser_, this);
    XML_SetElementHandler(parser_, begin, end);
    XML_SetCharacterDataHandler(parser_, text);
    XML_SetStartDoctypeDeclHandler(parser_, refuse);
    if (XML_Parse(parser_, xml.data(), static_cast<int>(xml.size()), 1) != XML_STATUS_OK)
      return faulty(fault_.empty() ? XML_ErrorString(XML_GetErrorCode(parser_)) : fault_);
    if (!annotated_) return faulty("its root is not <annotation>");
    return std::move(objects_);
  }

 private:
  Error faulty(std::string_view what) const {
    return input_error("RIDGE-WB-0207",
                       fmt::format("line {}: {}", XML_GetCurrentLineNumber(parser_), what))
        .hint("annotations are the XML files of Pascal VOC, one for each image");
  }
  void stop(std::string fault) {
    if (fault_.empty()) fault_ = std::move(fault);
    XML_StopParser(parser_, XML_FALSE);
  }

  static Reader& self(void* data) { return *static_cast<Reader*>(data); }
  static void refuse(void* data, const XML_Char*, const XML_Char*, const XML_Char*, int) {
    self(data).stop("a document type");
  }
  static void begin(void* data, const XML_Char* name, const XML_Char**) { self(data).open(name); }
  static void end(void* data, const XML_Char*) { self(data).close(); }
  static void text(void* data, const XML_Char* text, int length) {
    Reader& reader = self(data);
    if (!reader.in_leaf_) return;
    reader.text_.append(text, static_cast<std::size_t>(length));
  }

  void open(std::string_view name) {
    if (ends_.size() == kMostDepth) return stop("elements nest too deep");
    ends_.push_back(path_.size());
    path_ += path_.empty() ? "" : "/";
    path_ += name;
    annotated_ |= path_ == "annotation";
    if (path_ == "annotation/object") {
      object_ = {};
      corners_ = {};
    }
    in_leaf_ = path_.starts_with(kObject);
    text_.clear();
  }

  void close() {
    take(path_, trimmed(text_));
    path_.resize(ends_.back());
    ends_.pop_back();
    in_leaf_ = false;
  }

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
    objects_.push_back(std::move(object_));
  }

  static constexpr std::string_view kObject = "annotation/object/";

  XML_Parser parser_ = nullptr;
  std::vector<VocObject> objects_;
  VocObject object_;
  std::array<std::optional<double>, 4> corners_;
  std::string path_, text_, fault_;
  std::vector<std::size_t> ends_;  ///< sizes of `path_` before each open element
  bool in_leaf_ = false, annotated_ = false;
};

}  // namespace

accuracy::Box box_between(double x_min, double y_min, double x_max, double y_max) {
  return {x_min, y_min, x_max - x_min + 1, y_max - y_min + 1};
}

Result<std::vector<VocObject>> parse_voc_annotation(std::string_view xml) {
  return Reader().run(xml);
}

}  // namespace ridge::workbench
