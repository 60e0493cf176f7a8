// SPDX-License-Identifier: Apache-2.0
#include "manifest/torchvision_forms.h"

#include <algorithm>

#include "base/number.h"
#include "manifest/image_steps.h"

namespace ridge::manifest {
namespace {

constexpr std::string_view kCompose = "=transforms.Compose([";
constexpr std::string_view kEntry = R"(img = Image.open(dataset[int(data)]).convert("RGB")
return {name:}(img).numpy())";

/// Elements of the list inside Compose([...]), split at commas outside brackets.
std::vector<std::string_view> composed_elements(std::string_view list) {
  std::vector<std::string_view> out;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= list.size(); ++i) {
    const char c = i < list.size() ? list[i] : ',';
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
    if (c != ',' || (depth > 0 && i < list.size())) continue;
    out.push_back(list.substr(begin, i - begin));
    begin = i + 1;
  }
  return out;
}

bool is_size(std::string_view text) {
  const auto size = whole_number(text);
  return size && *size > 0;
}

/// Applies one transform; false if it is not known or cannot stand where it stands.
bool apply(std::string_view transform, Place place, ImageSteps& image) {
  CodeMatch m;
  const bool tensor = image.channels_first();
  if (!tensor && matches("transforms.Resize({short})", transform, m) && is_size(m["short"])) {
    image.add({"resize",
               {{"short", std::string(m["short"])},
                {"method", "pillow_bilinear"},
                {"rounding", "truncate"}},
               place});
    return true;
  }
  if (!tensor && matches("transforms.Resize(({height}, {width}))", transform, m) &&
      is_size(m["height"]) && is_size(m["width"])) {
    image.add({"resize",
               {{"height", std::string(m["height"])},
                {"width", std::string(m["width"])},
                {"method", "pillow_bilinear"}},
               place});
    return true;
  }
  if (!tensor && matches("transforms.CenterCrop({size})", transform, m) && is_size(m["size"])) {
    const std::string size(m["size"]);
    image.add({"crop", {{"height", size}, {"width", size}, {"rounding", "half_even"}}, place});
    return true;
  }
  if (!tensor && transform == "transforms.ToTensor()") {
    image.cast(ImageSteps::Type::kFloat32, place);
    image.normalize({"divide", "255"}, "float32", place);
    image.move_channels_first();
    return true;
  }
  if (tensor && matches("transforms.Normalize(mean=[{mean*}], std=[{std*}])", transform, m)) {
    image.normalize({"mean", std::string(m["mean"])}, "float32", place);
    image.normalize({"std", std::string(m["std"])}, "float32", place);
    return true;
  }
  return false;
}

}  // namespace

bool is_torchvision(const CodeProgram& program) {
  return std::any_of(
      program.statements.begin(), program.statements.end(),
      [](const CodeStatement& s) { return s.text.find(kCompose) != std::string::npos; });
}

Result<std::vector<StepSpec>> torchvision_steps(const CodeProgram& program,
                                                const CodeFunction& entry) {
  CodeMatch m;
  if (!body_matches(kEntry, entry, m)) return unknown_statement({entry.signature, 0, entry.place});
  ImageSteps image(ImageSteps::Library::kPillow, entry.place);
  bool found = false;
  for (const CodeStatement& statement : program.statements) {
    const std::string_view text = statement.text;
    const std::string head = std::string(m["name"]) + std::string(kCompose);
    if (found || !text.starts_with(head) || !text.ends_with("])"))
      return unknown_statement(statement);
    found = true;
    for (const std::string_view transform :
         composed_elements(text.substr(head.size(), text.size() - head.size() - 2)))
      if (!apply(transform, statement.place, image))
        return unknown_statement({std::string(transform), 0, statement.place});
  }
  if (!found || !image.channels_first())
    return unknown_statement({entry.signature, 0, entry.place});
  return std::move(image).steps();
}

}  // namespace ridge::manifest
