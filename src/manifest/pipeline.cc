// SPDX-License-Identifier: Apache-2.0
#include "manifest/pipeline.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/list.h"
#include "base/number.h"
#include "base/text.h"
#include "base/trim.h"
#include "manifest/agreement.h"
#include "manifest/code_forms.h"

namespace ridge::manifest {
namespace {

/// Code around pre- and postprocess has no meaning that steps could have.
Result<void> check_no_other_code(const ModelManifest& model) {
  for (const auto& [name, code] : {std::pair{"before_preprocess", &model.before_preprocess},
                                   {"after_preprocess", &model.after_preprocess},
                                   {"before_postprocess", &model.before_postprocess},
                                   {"after_postprocess", &model.after_postprocess}})
    if (!code->text.empty())
      return input_error("RIDGE-MAN-0051", fmt::format("no form of '{}' is known", name))
          .hint("remove it, and state the steps of inputs[] and outputs[]")
          .in(code->place.text());
  return {};
}

std::string library_of(std::string_view method) {
  return method.starts_with("pillow") ? "pillow" : "opencv";
}

/// Height and width of dimensions [channels, height, width] or [height, width, channels], a batch
/// of one before them or not; nullopt for others.
std::optional<std::pair<std::string, std::string>> image_size(std::string_view dimensions) {
  std::vector<std::int64_t> sizes;
  for (const std::string_view item : items(dimensions)) {
    const auto size = whole_number<std::int64_t>(trimmed(item));
    if (!size || *size < 1) return std::nullopt;
    sizes.push_back(*size);
  }
  if (sizes.size() == 4 && sizes[0] == 1) sizes.erase(sizes.begin());
  if (sizes.size() != 3) return std::nullopt;
  const auto channels = [](std::int64_t size) { return size == 1 || size == 3 || size == 4; };
  const bool last = sizes[2] == 3 && sizes[0] != 3;
  if (!channels(sizes[last ? 2 : 0])) return std::nullopt;
  const std::size_t height = last ? 0 : 1;
  return std::pair{fmt::format("{}", sizes[height]), fmt::format("{}", sizes[height + 1])};
}

/// Steps of an image input that has parameters only.
Result<std::vector<StepSpec>> steps_of_parameters(const Tensor& input) {
  const Place place = input.place;
  const std::string_view method = input.parameter("resize_method");
  for (const std::string_view unclear : {"crop_method", "crop_ratio", "max_dimension",
                                         "scale_height", "scale_width", "keep_aspect_ratio"})
    if (const Setting* s = find(input.parameters, unclear); s != nullptr && s->value != "false")
      return input_error(
                 "RIDGE-MAN-0052",
                 fmt::format("parameter '{}' does not say which arithmetic it means", unclear))
          .hint("state `steps:` with resize and crop")
          .in(s->place.text());
  if (method.empty())
    return input_error("RIDGE-MAN-0053", "the parameters do not say how the image is resized")
        .hint("add resize_method (pillow_bilinear, opencv_linear, ...), or state `steps:`")
        .in(place.text());
  std::vector<StepSpec> out;
  const std::string color(input.parameter("color_mode"));
  out.push_back({"decode",
                 {{"library", library_of(method)},
                  {"color_mode", color.empty() ? "RGB" : color},
                  {"orientation", library_of(method) == "pillow" ? "stored" : "exif"}},
                 place});
  if (const Setting* stated = find(input.parameters, "dimensions")) {
    const auto size = image_size(stated->value);
    if (!size)
      return input_error("RIDGE-MAN-0056", fmt::format("'dimensions' cannot be [{}] of an image",
                                                       printable(stated->value)))
          .hint("write channels, height and width: [3, 224, 224]")
          .in(stated->place.text());
    out.push_back(
        {"resize",
         {{"height", size->first}, {"width", size->second}, {"method", std::string(method)}},
         place});
  }
  const std::string type(input.parameter("element_type"));
  if (type != "uint8") out.push_back({"cast", {{"type", type.empty() ? "float32" : type}}, place});
  StepSpec normalize{"normalize", {}, place};
  for (const auto& [parameter, name] : {std::pair{"mean", "mean"}, {"scale", "std"}})
    if (const std::string_view value = input.parameter(parameter); !value.empty())
      normalize.parameters.push_back({name, std::string(value)});
  if (!normalize.parameters.empty()) {
    normalize.parameters.push_back({"arithmetic", "float32"});
    out.push_back(std::move(normalize));
  }
  std::string layout(input.parameter("layout"));
  if (layout.size() == 4) layout.erase(0, 1);
  out.push_back({"layout", {{"order", layout.empty() ? "HWC" : layout}}, place});
  return out;
}

Result<std::vector<StepSpec>> before(const ModelManifest& model, const Tensor& input,
                                     Prefer prefer) {
  if (input.steps) return *input.steps;
  if (!model.preprocess.text.empty()) {
    auto steps = TRY(preprocess_steps(model.preprocess.text, model.preprocess.place));
    if (model.inputs.size() != 1)
      return input_error("RIDGE-MAN-0054",
                         fmt::format("the code prepares one image, the model has {} inputs",
                                     model.inputs.size()))
          .hint("state the steps of each input")
          .in(model.preprocess.place.text());
    return agreed(std::move(steps), input, prefer);
  }
  if (input.type == "image") return steps_of_parameters(input);
  return std::vector<StepSpec>();
}

bool is_classification(const ModelManifest& model) {
  return !model.outputs.empty() && model.outputs[0].type == "classification";
}

bool has_step(const std::vector<StepSpec>& steps, std::string_view name) {
  return std::ranges::find(steps, name, &StepSpec::name) != steps.end();
}

/// True if a step states where the names of the classes are, itself or as a ranking's parameter.
bool has_labels(const std::vector<StepSpec>& steps) {
  return std::ranges::any_of(steps, [](const StepSpec& s) {
    return s.name == "labels" || s.find("labels") != nullptr || s.find("labels_url") != nullptr;
  });
}

/// Adds the names of the classes that a ranking orders, where the manifest has them.
void add_labels(const ModelManifest& model, std::vector<StepSpec>& after) {
  if (!is_classification(model) || !has_step(after, "argsort") || has_labels(after)) return;
  const Tensor& output = model.outputs[0];
  std::string labels = model.features.path;
  std::string checksum = model.features.checksum.text();
  if (labels.empty()) {
    labels = output.parameter("labels");
    checksum = output.parameter("labels_checksum");
  }
  if (labels.empty()) return;
  StepSpec step{"labels", {{"path", labels}}, output.place};
  if (!checksum.empty()) step.parameters.push_back({"checksum", checksum});
  after.push_back(std::move(step));
}

/// Adds what a classification ends in: the order of the scores.
void add_ranking(const ModelManifest& model, std::vector<StepSpec>& after) {
  if (!is_classification(model) || has_step(after, "argsort")) return;
  std::string index = "0";
  if (!after.empty())
    if (const std::string* used = after.back().find("output")) index = *used;
  after.push_back({"argsort", {{"output", index}}, model.outputs[0].place});
}

Result<std::vector<StepSpec>> steps_after(const ModelManifest& model) {
  std::vector<StepSpec> out;
  bool stated = false;
  for (std::size_t i = 0; i < model.outputs.size(); ++i) {
    const Tensor& output = model.outputs[i];
    if (!output.steps) continue;
    stated = true;
    for (StepSpec step : *output.steps) {
      if (step.find("output") == nullptr && step.find("scores") == nullptr)
        step.parameters.push_back({"output", std::to_string(i)});
      out.push_back(std::move(step));
    }
  }
  if (stated) {
    add_labels(model, out);
    return out;
  }
  if (!model.postprocess.text.empty()) {
    out = TRY(postprocess_steps(model.postprocess.text, model.postprocess.place));
  } else if (!model.outputs.empty() &&
             model.outputs[0].parameter("probabilities_transform") == "softmax") {
    out.push_back({"softmax", {{"axis", "1"}, {"output", "0"}}, model.outputs[0].place});
  }
  add_ranking(model, out);
  add_labels(model, out);
  return out;
}

}  // namespace

Result<Pipeline> pipeline_of(const ModelManifest& model, Prefer prefer) {
  TRY(check_no_other_code(model));
  Pipeline out;
  for (const Tensor& input : model.inputs) out.before.push_back(TRY(before(model, input, prefer)));
  out.after = TRY(steps_after(model));
  return out;
}

Result<ModelManifest> with_steps(const ModelManifest& model, Prefer prefer) {
  Pipeline pipeline = TRY(pipeline_of(model, prefer));
  ModelManifest out = model;
  for (std::size_t i = 0; i < out.inputs.size(); ++i) out.inputs[i].steps = pipeline.before[i];
  // The steps say for themselves which output they take; the first lists them all.
  if (!out.outputs.empty()) out.outputs[0].steps = std::move(pipeline.after);
  for (std::size_t i = 1; i < out.outputs.size(); ++i) out.outputs[i].steps.reset();
  out.preprocess = {};
  out.postprocess = {};
  return out;
}

}  // namespace ridge::manifest
