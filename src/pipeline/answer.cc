// SPDX-License-Identifier: Apache-2.0
#include "pipeline/answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "pipeline/labels.h"
#include "pipeline/masks.h"
#include "pipeline/output_step_text.h"
#include "pipeline/softmax.h"

namespace ridge::pipeline {
namespace {

Error unfit(std::string message) { return input_error("RIDGE-PIPE-0033", std::move(message)); }
Error misplaced(std::string message) { return input_error("RIDGE-PIPE-0034", std::move(message)); }

std::string shape_text(const OutputValues& output) {
  return fmt::format(
      "output '{}' has a shape of {} for a sample", output.name,
      output.dims.empty() ? "no axes" : fmt::format("{}", fmt::join(output.dims, "x")));
}

/// Sizes of an image in a tensor, with one of leading axes of 1 left out.
struct Planes {
  std::size_t channels = 1, height = 0, width = 0;
};

class Maker {
 public:
  explicit Maker(std::vector<OutputValues> outputs) : outputs_(std::move(outputs)) {}

  Result<void> operator()(const Softmax& step) {
    OutputValues& output = *TRY(changeable(step.output));
    const std::size_t last = last_axis(output);
    if (last == 0) return {};
    softmax(output.values, {.outer = output.values.size() / last, .count = last, .inner = 1});
    return {};
  }
  Result<void> operator()(const DropFirst& step) {
    OutputValues& output = *TRY(changeable(step.output));
    const std::size_t last = last_axis(output);
    if (step.count >= last)
      return unfit(
          fmt::format("{}, of which {} cannot be left out", shape_text(output), step.count));
    std::vector<float> kept;
    for (std::size_t at = 0; at < output.values.size(); at += last)
      kept.insert(kept.end(), output.values.begin() + static_cast<std::ptrdiff_t>(at + step.count),
                  output.values.begin() + static_cast<std::ptrdiff_t>(at + last));
    output.values = std::move(kept);
    output.dims.back() -= static_cast<std::int64_t>(step.count);
    return {};
  }
  Result<void> operator()(const Top& step) {
    const OutputValues& output = *TRY(changeable(step.output));
    return answer(Ranking{top(output.values, step.most), output.values.size()});
  }
  Result<void> operator()(const Boxes& step) {
    const OutputValues& boxes = *TRY(changeable(step.boxes));
    const OutputValues& scores = *TRY(changeable(step.scores));
    if (step.classes) return answer(TRY(labeled(step, boxes, scores)));
    const std::size_t classes = boxes.values.size() < 4
                                    ? std::max<std::size_t>(1, last_axis(scores))
                                    : scores.values.size() / (boxes.values.size() / 4);
    answer_.classes = classes;
    return answer(TRY(detections(boxes.values, scores.values, classes, rule_of(step))));
  }
  Result<void> operator()(const Masks& step) {
    const OutputValues& output = *TRY(changeable(step.output));
    const Planes planes = TRY(planes_of(output, step.axis));
    const std::size_t pixels = planes.height * planes.width;
    Mask mask{{static_cast<int>(planes.width), static_cast<int>(planes.height)}, {}};
    if (step.above) {
      if (planes.channels != 1)
        return unfit(shape_text(output) + ": a limit is for one score at each pixel");
      answer_.classes = 2;
      const auto found = above(output.values, static_cast<float>(*step.above));
      mask.classes.assign(found.begin(), found.end());
      return answer(std::move(mask));
    }
    answer_.classes = planes.channels;
    if (step.axis == ChannelAxis::kFirst) {
      mask.classes = argmax(output.values, {.outer = 1, .count = planes.channels, .inner = pixels});
    } else {
      mask.classes = argmax(output.values, {.outer = pixels, .count = planes.channels, .inner = 1});
    }
    return answer(std::move(mask));
  }
  Result<void> operator()(const Picture& step) {
    const OutputValues& output = *TRY(changeable(step.output));
    const Planes planes = TRY(planes_of(output, step.axis));
    FloatImage image{static_cast<int>(planes.width), static_cast<int>(planes.height),
                     static_cast<int>(planes.channels), std::vector<float>(output.values.size())};
    const std::size_t pixels = planes.width * planes.height;
    for (std::size_t i = 0; i < pixels; ++i)
      for (std::size_t c = 0; c < planes.channels; ++c) {
        const std::size_t from =
            step.axis == ChannelAxis::kFirst ? c * pixels + i : i * planes.channels + c;
        image.data[i * planes.channels + c] =
            static_cast<float>(output.values[from] * step.multiply);
      }
    return answer(std::move(image));
  }
  Result<void> operator()(const Sequence& step) {
    const OutputValues& output = *TRY(changeable(step.output));
    const std::size_t last = last_axis(output);
    // Best path of CTC (Graves et al. 2006, section 3.2): repeated classes count once, and class 0,
    // the blank, not at all. Example: 3 3 0 3 5 becomes 3 3 5; the blank keeps both 3s apart.
    const bool collapsed = step.path == Sequence::Path::kCollapsed;
    Reading reading{{}, collapsed ? "" : " "};
    if (last == 0) return answer(std::move(reading));
    std::int64_t before = -1;
    for (const std::int32_t found :
         argmax(output.values, {.outer = output.values.size() / last, .count = last, .inner = 1})) {
      if (!collapsed || (found != before && found != 0)) reading.classes.push_back(found);
      before = found;
    }
    classes_ = last;
    return answer(std::move(reading));
  }
  Result<void> operator()(const Labels& step) {
    if (!has_answer_)
      return misplaced("nothing has classes to name yet").hint("put it after top(5)");
    std::vector<std::int64_t> classes;
    if (const auto* ranking = std::get_if<Ranking>(&answer_.value)) {
      TRY(check_labels(step.names.size(), ranking->of));
      for (const Ranked& r : ranking->classes) classes.push_back(r.index);
    } else if (const auto* found = std::get_if<Detections>(&answer_.value)) {
      if (answer_.classes > 0) TRY(check_labels(step.names.size(), answer_.classes));
      for (const Detection& d : *found) {
        TRY(check_label(step.names.size(), d.label));
        classes.push_back(d.label);
      }
    } else if (const auto* reading = std::get_if<Reading>(&answer_.value)) {
      TRY(check_labels(step.names.size(), classes_));
      classes = reading->classes;
    } else {
      return misplaced("the step before it has no classes to name");
    }
    for (const std::int64_t c : classes)
      answer_.names.push_back(c >= 0 && c < std::ssize(step.names)
                                  ? step.names[static_cast<std::size_t>(c)]
                                  : fmt::format("{}", c));
    return {};
  }

  Answer take() {
    if (!has_answer_)
      for (OutputValues& output : outputs_)
        if (!output.values.empty()) {
          answer_.value = Scores{std::move(output.values)};
          break;
        }
    return std::move(answer_);
  }

 private:
  Result<OutputValues*> changeable(std::size_t output) {
    if (has_answer_) return misplaced("the answer is made already").hint("put it before");
    if (output < outputs_.size() && !outputs_[output].values.empty()) return &outputs_[output];
    return unfit(fmt::format("the model has no output {} of numbers for each sample", output))
        .hint(fmt::format("it has {}, counted from 0: output=N", outputs_.size()));
  }
  template <typename Value>
  Result<void> answer(Value value) {
    answer_.value = std::move(value);
    has_answer_ = true;
    return {};
  }
  static std::size_t last_axis(const OutputValues& output) {
    return output.dims.empty()
               ? output.values.size()
               : static_cast<std::size_t>(std::max<std::int64_t>(0, output.dims.back()));
  }
  static DetectionRule rule_of(const Boxes& step) {
    return {.format = step.format,
            .score = step.score,
            .overlap = step.overlap,
            .most = step.most,
            .first_class = step.first_class,
            .classes_of = step.classes_of,
            .until = step.until};
  }
  /// Boxes of which each has one score and one class.
  Result<Detections> labeled(const Boxes& step, const OutputValues& boxes,
                             const OutputValues& scores) {
    const OutputValues& classes = *TRY(changeable(*step.classes));
    if (scores.values.size() != boxes.values.size() / 4 || boxes.values.size() % 4 != 0 ||
        classes.values.size() != scores.values.size())
      return unfit(fmt::format("{} values of boxes, {} scores and {} classes do not fit",
                               boxes.values.size(), scores.values.size(), classes.values.size()));
    std::map<std::int64_t, Detections> by_class;
    for (std::size_t i = 0; i < scores.values.size(); ++i) {
      const auto label = static_cast<std::int64_t>(std::clamp(classes.values[i], -1.0F, 1e9F));
      if (label < step.first_class) continue;
      if (step.until && scores.values[i] < *step.until) break;
      if (!(scores.values[i] > step.score)) continue;
      const float* box = &boxes.values[4 * i];
      by_class[label].push_back({corners({box[0], box[1], box[2], box[3]}, step.format), label,
                                 scores.values[i], static_cast<std::int64_t>(i)});
    }
    Detections all;
    for (auto& [label, of_class] : by_class)
      for (const Detection& kept : suppressed(std::move(of_class), step.overlap, step.most))
        all.push_back(kept);
    std::ranges::stable_sort(all, std::ranges::greater{}, &Detection::score);
    all.resize(std::min(all.size(), step.most));
    return all;
  }
  static Result<Planes> planes_of(const OutputValues& output, ChannelAxis axis) {
    std::vector<std::int64_t> dims = output.dims;
    if (dims.size() == 2) dims.insert(axis == ChannelAxis::kFirst ? dims.begin() : dims.end(), 1);
    if (dims.size() != 3 || dims[0] <= 0 || dims[1] <= 0 || dims[2] <= 0)
      return unfit(shape_text(output) + ", an image has two or three axes");
    const bool first = axis == ChannelAxis::kFirst;
    const std::int64_t height = dims[first ? 1 : 0], width = dims[first ? 2 : 1];
    TRY(check_size(width, height));
    return Planes{static_cast<std::size_t>(dims[first ? 0 : 2]), static_cast<std::size_t>(height),
                  static_cast<std::size_t>(width)};
  }

  std::vector<OutputValues> outputs_;
  Answer answer_;
  bool has_answer_ = false;
  std::size_t classes_ = 0;  ///< classes of a reading
};

}  // namespace

std::string Answer::text() const {
  const auto* reading = std::get_if<Reading>(&value);
  const std::string_view separator = reading != nullptr ? reading->separator : ", ";
  if (!names.empty() || reading == nullptr) return fmt::format("{}", fmt::join(names, separator));
  return fmt::format("{}", fmt::join(reading->classes, separator));
}

Result<Answer> answer_of(std::vector<OutputValues> outputs, std::span<const OutputStep> steps) {
  Maker maker(std::move(outputs));
  for (std::size_t i = 0; i < steps.size(); ++i)
    TRY_IN(fmt::format("step {} {}", i + 1, print_output_step(steps[i])),
           std::visit(maker, steps[i]));
  return maker.take();
}

}  // namespace ridge::pipeline
