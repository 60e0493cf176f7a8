#include "workbench/ground_truth.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <unordered_map>

#include "base/file.h"
#include "base/json_at.h"
#include "base/number.h"
#include "base/trim.h"
#include "pipeline/decode.h"
#include "pipeline/normalize.h"
#include "runtime/npy.h"
#include "workbench/voc_annotation.h"

namespace ridge::workbench {
namespace {

constexpr std::int64_t kMostBytes = std::int64_t{256} << 20;
constexpr std::int64_t kMostAnnotationBytes = std::int64_t{16} << 20;

Error faulty(const std::string& path, std::string message) {
  return input_error("RIDGE-WB-0118", std::move(message)).in_file(path);
}

Error faulty_line(const std::string& path, std::size_t line, std::string_view what) {
  return faulty(path, fmt::format("line {}: {}", line, what));
}

std::unordered_map<std::string_view, std::size_t> positions(const std::vector<std::string>& names) {
  std::unordered_map<std::string_view, std::size_t> out;
  for (std::size_t i = 0; i < names.size(); ++i) out.emplace(names[i], i);
  return out;
}

template <typename Visit>
Result<void> each_line(std::string_view text, Visit visit) {
  std::size_t number = 1;
  for (std::size_t begin = 0; begin < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = text.substr(begin, end - begin);
    if (line.ends_with('\r')) line.remove_suffix(1);
    begin = end + 1;
    TRY(visit(number, line));
  }
  return {};
}

/// Classes of a model by the names that a data set gives its categories.
class Categories {
 public:
  explicit Categories(const std::vector<std::string>& labels) : by_name_(positions(labels)) {}
  bool by_name() const { return !by_name_.empty(); }
  std::optional<std::int64_t> find(std::string_view name) const {
    const auto found = by_name_.find(name);
    if (found == by_name_.end()) return std::nullopt;
    return static_cast<std::int64_t>(found->second);
  }

 private:
  std::unordered_map<std::string_view, std::size_t> by_name_;
};

/// COCO's annotations; see the header.
class Coco {
 public:
  Coco(const TruthSource& source, const JsonAt& at, const std::optional<std::string>& failure)
      : source_(source), at_(at), failure_(failure) {}

  Result<std::vector<accuracy::TrueBox>> read() {
    TRY(read_categories());
    TRY(read_images());
    std::vector<accuracy::TrueBox> out;
    at_["annotations"].each([&](const JsonAt& a) { add(a, out); });
    return out;
  }

 private:
  Result<void> read_categories() {
    const Categories known(source_.labels);
    std::string unknown;
    at_["categories"].each([&](const JsonAt& c) {
      const std::int64_t id = c["id"].integer();
      const std::string name = c["name"].text();
      const auto label = known.by_name() ? known.find(name) : std::optional(id);
      if (label)
        classes_[id] = *label;
      else if (unknown.empty())
        unknown = name;
    });
    if (unknown.empty()) return {};
    return faulty(source_.path, fmt::format("the category '{}' is none of the labels", unknown))
        .hint("use the labels that the model was trained with, or leave labels(FILE) out");
  }
  Result<void> read_images() {
    const auto names = positions(source_.names);
    std::vector<std::uint8_t> seen(source_.names.size());
    at_["images"].each([&](const JsonAt& image) {
      const std::int64_t id = image["id"].integer();
      const auto sample = names.find(image["file_name"].text());
      images_[id] = sample == names.end() ? std::nullopt : std::optional(sample->second);
      if (sample != names.end()) seen[sample->second] = 1;
    });
    const auto missing = std::ranges::find(seen, 0);
    if (failure_ || missing == seen.end()) return {};
    return faulty(source_.path,
                  fmt::format("sample '{}' is not among the images",
                              source_.names[static_cast<std::size_t>(missing - seen.begin())]))
        .hint("images are joined by \"file_name\"");
  }
  void add(const JsonAt& a, std::vector<accuracy::TrueBox>& out) const {
    const auto image = images_.find(a["image_id"].integer());
    const auto label = classes_.find(a["category_id"].integer());
    if (image == images_.end()) return a.fail("image_id of an image");
    if (label == classes_.end()) return a.fail("category_id of a category");
    if (!image->second) return;
    std::vector<double> box;
    a["bbox"].each([&](const JsonAt& v) { box.push_back(v.number()); });
    if (box.size() != 4) return a.fail("bbox of four numbers");
    if (box[2] < 0 || box[3] < 0) return a.fail("bbox of a width and height from 0");
    const auto crowd = a.find("iscrowd");
    const auto area = a.find("area");
    out.push_back({*image->second,
                   label->second,
                   {box[0], box[1], box[2], box[3]},
                   area ? area->real() : std::nullopt,
                   crowd && crowd->integer() != 0});
  }

  const TruthSource& source_;
  const JsonAt& at_;
  const std::optional<std::string>& failure_;
  std::unordered_map<std::int64_t, std::optional<std::size_t>> images_;
  std::unordered_map<std::int64_t, std::int64_t> classes_;
};

/// Comma-separated fields of a line, blanks around them removed.
std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> out;
  for (;;) {
    const std::size_t comma = line.find(',');
    out.push_back(trimmed(line.substr(0, comma)));
    if (comma == line.npos) return out;
    line.remove_prefix(comma + 1);
  }
}

std::string stem(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  return dot == std::string::npos || dot == 0 ? name : name.substr(0, dot);
}

Result<pipeline::FloatImage> read_array(const std::string& path) {
  const runtime::Npy npy = TRY(runtime::Npy::open(path));
  const std::vector<std::int64_t>& d = npy.header.dims;
  if (npy.header.type != onnx::DataType::kFloat || (d.size() != 2 && d.size() != 3))
    return faulty(path, "a reference is height x width x channels of float32");
  TRY(pipeline::check_size(d[1], d[0]));
  const std::int64_t channels = d.size() == 3 ? d[2] : 1;
  if (channels < 1 || channels > 4) return faulty(path, "a reference has 1 to 4 channels");
  auto out = TRY(pipeline::make_raster<float>({static_cast<int>(d[1]), static_cast<int>(d[0])},
                                              static_cast<int>(channels)));
  TRY(npy.file.read_at(npy.offset, std::as_writable_bytes(std::span(out.data))));
  return out;
}

/// Annotations of Pascal VOC: a folder with an XML file for each sample.
Result<std::vector<accuracy::TrueBox>> read_voc_folder(const TruthSource& source) {
  const Categories known(source.labels);
  std::vector<accuracy::TrueBox> out;
  for (std::size_t sample = 0; sample < source.names.size(); ++sample) {
    const std::string path = source.path + "/" + stem(source.names[sample]) + ".xml";
    const std::string xml = TRY(read_file(path, kMostAnnotationBytes));
    Result<std::vector<VocObject>> objects = parse_voc_annotation(xml);
    if (!objects.ok()) return std::move(objects).error().in_file(path);
    for (const VocObject& object : *objects) {
      const auto label = known.by_name() ? known.find(object.name) : whole_number(object.name);
      if (!label)
        return faulty(path, fmt::format("'{}' is no class of the model", object.name))
            .hint("add the names of the model's classes to --post: labels(FILE)");
      out.push_back({sample, *label, object.box, {}, object.difficult});
    }
  }
  return out;
}

/// True for a PNG whose pixels are 8-bit gray values, by its header.
bool is_gray_png(std::string_view bytes) {
  constexpr std::size_t kDepth = 24, kColor = 25;
  return bytes.size() > kColor && bytes[kDepth] == 8 && bytes[kColor] == 0;
}

}  // namespace

Result<std::vector<accuracy::TrueBox>> read_coco_truth(const TruthSource& source) {
  const std::string text = TRY(read_file(source.path, kMostBytes));
  std::string why;
  const nlohmann::json document = json_object(text, why);
  if (!why.empty()) return faulty(source.path, "it has no annotations: " + why);
  std::optional<std::string> failure;
  const JsonAt at(document, failure);
  std::vector<accuracy::TrueBox> out = TRY(Coco(source, at, failure).read());
  if (failure) return faulty(source.path, "it has no annotations of COCO: it lacks " + *failure);
  return out;
}

Result<std::vector<accuracy::TrueBox>> read_voc_truth(const TruthSource& source) {
  std::error_code ignored;
  if (std::filesystem::is_directory(source.path, ignored)) return read_voc_folder(source);
  const std::string text = TRY(read_file(source.path, kMostBytes));
  const auto names = positions(source.names);
  const Categories known(source.labels);
  std::vector<accuracy::TrueBox> out;
  TRY(each_line(text, [&](std::size_t line, std::string_view row) -> Result<void> {
    if (trimmed(row).empty()) return {};
    const std::vector<std::string_view> f = fields_of(row);
    if (f.size() != 6 && f.size() != 7)
      return faulty_line(source.path, line, "it is not NAME,CLASS,X_MIN,Y_MIN,X_MAX,Y_MAX");
    const auto sample = names.find(f[0]);
    if (sample == names.end()) return {};  // one that is not evaluated
    const auto label = known.by_name() ? known.find(f[1]) : whole_number(f[1]);
    if (!label)
      return faulty_line(source.path, line, fmt::format("'{}' is no class of the model", f[1]))
          .hint("write numbers, or add labels(FILE) to --post");
    std::array<double, 4> corner{};
    for (std::size_t i = 0; i < 4; ++i) {
      const auto value = finite_number(f[i + 2]);
      if (!value) return faulty_line(source.path, line, fmt::format("'{}' is no number", f[i + 2]));
      corner[i] = *value;
    }
    const accuracy::Box box = box_between(corner[0], corner[1], corner[2], corner[3]);
    if (!(box.width > 0 && box.height > 0))
      return faulty_line(source.path, line, "its second corner is before its first");
    if (f.size() == 7 && f[6] != "0" && f[6] != "1")
      return faulty_line(source.path, line, "the last field, difficult, is not 0 or 1");
    out.push_back({sample->second, *label, box, {}, f.size() == 7 && f[6] == "1"});
    return {};
  }));
  return out;
}

Result<std::vector<std::vector<std::string>>> read_text_truth(const TruthSource& source) {
  const std::string text = TRY(read_file(source.path, kMostBytes));
  const auto names = positions(source.names);
  const auto named =
      names.contains(trimmed(std::string_view(text).substr(0, text.find_first_of(",\n"))));
  std::vector<std::vector<std::string>> out(source.names.size());
  std::size_t next = 0;
  TRY(each_line(text, [&](std::size_t line, std::string_view row) -> Result<void> {
    if (!named) {
      if (next < out.size()) out[next++].emplace_back(row);
      return {};
    }
    const std::size_t comma = row.find(',');
    if (comma == row.npos && trimmed(row).empty()) return {};
    if (comma == row.npos) return faulty_line(source.path, line, "it is not NAME,TEXT");
    if (const auto sample = names.find(trimmed(row.substr(0, comma))); sample != names.end())
      out[sample->second].emplace_back(row.substr(comma + 1));
    return {};
  }));
  for (std::size_t i = 0; i < out.size(); ++i)
    if (out[i].empty())
      return faulty(source.path, fmt::format("sample '{}' has no text", source.names[i]))
          .hint("write a line for each sample, or lines NAME,TEXT");
  return out;
}

Result<TrueMask> read_mask_truth(const std::string& folder, const std::string& name) {
  const std::string path = folder + "/" + stem(name) + ".png";
  const std::string bytes = TRY(read_file(path, kMostBytes));
  if (!is_gray_png(bytes))
    return faulty(path, "a mask is a PNG of 8-bit gray values, the class of each pixel")
        .hint("convert palettes to their indices, without colors");
  const pipeline::Image image = TRY_IN(
      path, pipeline::decode(std::as_bytes(std::span(bytes)), {.color = pipeline::Color::kGray}));
  TrueMask out{image.size(), {}};
  out.classes.assign(image.data.begin(), image.data.end());
  return out;
}

Result<pipeline::FloatImage> read_image_truth(const std::string& folder, const std::string& name,
                                              int channels) {
  const std::string base = folder + "/" + stem(name);
  if (file_exists(base + ".npy")) return read_array(base + ".npy");
  for (const char* ending : {".png", ".jpg", ".jpeg"}) {
    if (!file_exists(base + ending)) continue;
    const std::string bytes = TRY(read_file(base + ending, kMostBytes));
    const auto color = channels == 1 ? pipeline::Color::kGray : pipeline::Color::kRgb;
    return pipeline::as_float(
        TRY_IN(base + ending, pipeline::decode(std::as_bytes(std::span(bytes)), {.color = color})));
  }
  return faulty(folder, fmt::format("sample '{}' has no reference", name))
      .hint("it needs a .png, .jpg or .npy of the same name");
}

}  // namespace ridge::workbench
