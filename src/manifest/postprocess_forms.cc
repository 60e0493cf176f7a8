// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "base/lines.h"
#include "manifest/code_forms.h"
#include "manifest/code_program.h"
#include "manifest/opencv_forms.h"
#include "manifest/torchvision_forms.h"

namespace ridge::manifest {
namespace {

/// A body and its steps. Lines are patterns. What may precede a pattern: `?` (the line may be
/// absent) or `|` (one of the lines of the group is there), then one blank per level. Behind it,
/// ` => name=value` states a parameter; a backslash continues it on the next line. Holes become
/// parameters of the first step, and a hole that occurs twice has one value; `{hole}` in the steps
/// stands for that value.
struct Form {
  std::string_view steps;  ///< "softmax axis=1; argsort top=1"
  std::string_view body;
};

constexpr Form kForms[] = {
    {"", "return data[0].tolist()"},
    {"softmax axis={axis}", "return softmax(data[{output}], axis = {axis}).tolist()"},
    {"argsort output={output} top=1",
     "return [json.dumps([x.item()]) for x in np.argmax(data[{output}], axis = 1)]"},
    // The first columns are a background class.
    {"drop_first axis=1; argsort output={output} top=1",
     "return [json.dumps([x.item()]) for x in np.argmax(data[{output}][:, {count}:], axis = 1)]"},
    {"drop_first axis=1", "return data[{output}][:, {count}:].tolist()"},
    {"masks kind=semantic reduce=argmax axis=1",
     "return np.argmax(data[{output}], axis = 1).tolist()"},
    {"image from=CHW order=HWC",
     "return ({scale} * np.transpose(data[{output}], axes=[0, 2, 3, 1])).tolist()"},
    {"masks output=0 kind=semantic resize=opencv_nearest size=original", R"(n = len(data[0])
res = []
for i in range(n):
 cur = data[0][i]
 cur = cv2.resize(cur, (wlist[-(n - i)], hlist[-(n - i)]), interpolation = cv2.INTER_NEAREST)
 res.append(cur.tolist())
return res)"},
    {"boxes order=yxyx", R"(probs, labels, boxes = [], [], []
for i in range(len(data[0])):
 cur_probs, cur_labels, cur_boxes = [], [], []
 for j in range(len(data[0][i])):
|  prob, label, box = data[{scores}][i][j], data[{classes}][i][j], data[{boxes}][i][j].tolist()
|  prob, label, box = data[{scores}][i][j][0], data[{classes}][i][j][0], \
   data[{boxes}][i][j].tolist()
?  if label == {skip_class}:
?   continue
?  box = [box[1], box[0], box[3], box[2]] => order=xyxy
?  box = [box[1] / {height}, box[0] / {width}, box[3] / {height}, box[2] / {width}] => order=xyxy
  cur_probs.append(prob)
  cur_labels.append(label)
  cur_boxes.append(box)
 probs.append(cur_probs)
 labels.append(cur_labels)
 boxes.append(cur_boxes)
return probs, labels, boxes)"},
    {"masks kind=instance boxes_order=yxyx", R"(probs, labels, boxes, masks = [], [], [], []
for i in range(len(data[0])):
 cur_probs, cur_labels, cur_boxes, cur_masks = [], [], [], []
 for j in range(len(data[0][i])):
  prob, label, box, mask = data[{scores}][i][j], data[{classes}][i][j], \
   data[{boxes}][i][j].tolist(), data[{masks}][i][j].tolist()
  cur_probs.append(prob)
  cur_labels.append(label)
  cur_boxes.append(box)
  cur_masks.append(mask)
 probs.append(cur_probs)
 labels.append(cur_labels)
 boxes.append(cur_boxes)
 masks.append(cur_masks)
return probs, labels, boxes, masks)"},
    {"masks kind=instance boxes_order=yxyx resize=opencv_linear size=original merge=first",
     R"(masks, labels = [], [0]
n = len(data[0])
for i in range(n):
 h, w = hlist[-(n - i)], wlist[-(n - i)]
 cur_masks = np.zeros((h, w))
 for j in range(len(data[0][i])):
  prob, label, box, mask = data[{scores}][i][j], data[{classes}][i][j], \
   data[{boxes}][i][j].tolist(), data[{masks}][i][j]
  if prob > {above_score}:
   labels.append(label)
   ymin, xmin, ymax, xmax = int(box[0] * h), int(box[1] * w), int(box[2] * h), int(box[3] * w)
   ymin = max(ymin, 0)
   xmin = max(xmin, 0)
   ymax = min(ymax, h)
   xmax = min(xmax, w)
   mask = cv2.resize(mask, (xmax - xmin, ymax - ymin)).tolist()
   for y in range(ymax - ymin):
    for x in range(xmax - xmin):
     if mask[y][x] > {above_mask} and cur_masks[y + ymin][x + xmin] == 0:
      cur_masks[y + ymin][x + xmin] = len(labels) - 1
 masks.append(cur_masks.tolist())
return masks, labels)"},
    {"boxes order=yxyx", R"(n = len(data[0])
probabilities = []
classes = []
boxes = []
for i in range(n):
 probabilities.append([])
 classes.append([])
 boxes.append([])
 detection_boxes = data[{boxes}][i]
| detection_classes = data[{classes}][i]
| detection_classes = np.argmax(data[{scores}][i], axis = 1) => reduce=argmax
| scores = data[{scores}][i]
| scores = np.max(data[{scores}][i], axis = 1)
 for detection in range(len(scores)):
?  if detection_classes[detection] == {skip_class}:
?   continue
?  if scores[detection] < {stop_below}:
?   break
  probabilities[-1].append(scores[detection])
|  classes[-1].append(detection_classes[detection])
|  classes[-1].append(float(detection_classes[detection]))
  box = detection_boxes[detection]
|  boxes[-1].append([box[0], box[1], box[2], box[3]])
|  boxes[-1].append([box[1], box[0], box[3], box[2]]) => order=xyxy
return probabilities, classes, boxes)"},
    {"boxes order=yxyx", R"(n = len(data[0])
probabilities = []
classes = []
boxes = []
for i in range(n):
 probabilities.append([])
 classes.append([])
 boxes.append([])
 detection_boxes = data[{boxes}][i]
 detection_classes = data[{classes}][i]
 scores = data[{scores}][i]
 for detection in range(len(scores)):
  if scores[detection] >= {least_score}:
   probabilities[-1].append(scores[detection])
   classes[-1].append(float(detection_classes[detection]))
   box = detection_boxes[detection]
   boxes[-1].append([box[0], box[1], box[2], box[3]])
return probabilities, classes, boxes)"},
};

struct FormLine {
  char mark = ' ';  ///< ' ', '?' or '|'
  std::size_t level = 0;
  std::string pattern, parameter;
};

/// The current line and those that continue it.
std::string continued(Lines& lines) {
  std::string out(lines.line());
  while (out.ends_with('\\')) {
    out.pop_back();
    if (!lines.next()) break;
    const std::string_view line = lines.line();
    out += line.substr(std::min(line.find_first_not_of(' '), line.size()));
  }
  return out;
}

std::vector<FormLine> lines_of(std::string_view body) {
  std::vector<FormLine> out;
  for (Lines lines(body); lines.next();) {
    std::string text = continued(lines);
    FormLine line;
    if (text[0] == '?' || text[0] == '|') {
      line.mark = text[0];
      text.erase(0, 1);
    }
    line.level = text.find_first_not_of(' ');
    const std::size_t arrow = text.find(" => ");
    line.pattern = text.substr(0, arrow).substr(line.level);
    if (arrow != std::string::npos) line.parameter = text.substr(arrow + 4);
    out.push_back(std::move(line));
  }
  return out;
}

void set(std::vector<StepParameter>& parameters, std::string_view name, std::string_view value) {
  for (StepParameter& p : parameters)
    if (p.name == name) {
      p.value = value;
      return;
    }
  parameters.push_back({std::string(name), std::string(value)});
}

/// Parses "name=value".
void set(std::vector<StepParameter>& parameters, std::string_view text) {
  const std::size_t equals = text.find('=');
  set(parameters, text.substr(0, equals), text.substr(equals + 1));
}

/// Comparison of one body with one form.
class ComparisonForm {
 public:
  explicit ComparisonForm(const CodeFunction& function) : function_(function) {}

  bool holds(std::string_view body) {
    const std::vector<FormLine> lines = lines_of(body);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const bool taken = take(lines[i]);
      if (lines[i].mark == '?' || (lines[i].mark != '|' && taken)) continue;
      if (!taken && (lines[i].mark != '|' || !more(lines, i))) return false;
      // One of the group is enough.
      if (taken)
        while (more(lines, i)) ++i;
    }
    return at_ == function_.body.size();
  }
  const std::vector<StepParameter>& found() const { return found_; }
  std::size_t lines_equal() const { return at_; }

 private:
  /// True if the group of alternatives goes on: its lines stand together and begin alike.
  static bool more(const std::vector<FormLine>& lines, std::size_t i) {
    if (i + 1 >= lines.size() || lines[i + 1].mark != '|') return false;
    const auto head = [](const FormLine& l) {
      return l.pattern.substr(0, l.pattern.find_first_of("(,= ["));
    };
    return head(lines[i]) == head(lines[i + 1]);
  }

  bool take(const FormLine& line) {
    if (at_ == function_.body.size()) return false;
    const CodeStatement& s = function_.body[at_];
    CodeMatch m;
    if (s.level != line.level || !matches(line.pattern, s.text, m)) return false;
    for (const CodeMatch::Hole& h : m.holes()) {
      const auto known = std::find_if(found_.begin(), found_.end(),
                                      [&](const StepParameter& p) { return p.name == h.name; });
      if (known != found_.end() && known->value != h.value) return false;
      if (known == found_.end()) found_.push_back({h.name, h.value});
    }
    if (!line.parameter.empty()) set(found_, line.parameter);
    ++at_;
    return true;
  }

  const CodeFunction& function_;
  std::size_t at_ = 0;
  std::vector<StepParameter> found_;
};

/// Replaces the hole of "name={hole}".
std::string with_holes(std::string_view text, const std::vector<StepParameter>& found) {
  const std::size_t brace = text.find('{');
  if (brace == std::string_view::npos) return std::string(text);
  std::string out(text.substr(0, brace));
  for (const StepParameter& p : found)
    if (text.substr(brace) == "{" + p.name + "}") out += p.value;
  return out;
}

/// Steps "softmax axis=1; argsort top=1"; the first also gets the parameters found.
std::vector<StepSpec> steps_of(std::string_view text, const std::vector<StepParameter>& found,
                               Place place) {
  std::vector<StepSpec> out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find("; "), text.size());
    std::string_view step = text.substr(0, end);
    text.remove_prefix(std::min(end + 2, text.size()));
    StepSpec spec;
    spec.place = place;
    const std::size_t name = std::min(step.find(' '), step.size());
    spec.name = step.substr(0, name);
    step.remove_prefix(std::min(name + 1, step.size()));
    while (!step.empty()) {
      const std::size_t parameter = std::min(step.find(' '), step.size());
      set(spec.parameters, with_holes(step.substr(0, parameter), found));
      step.remove_prefix(std::min(parameter + 1, step.size()));
    }
    if (out.empty())
      for (const StepParameter& p : found) set(spec.parameters, p.name, p.value);
    out.push_back(std::move(spec));
  }
  return out;
}

/// Function of a program that is called with each sample or output.
Result<const CodeFunction*> entry_of(const CodeProgram& program, std::string_view name,
                                     Place place) {
  const CodeFunction* entry = program.find(name);
  if (entry == nullptr)
    return input_error("RIDGE-MAN-0047", fmt::format("the code defines no function '{}'", name))
        .in(place.text());
  if (entry->signature != fmt::format("def {}(ctx,data):", name))
    return unknown_statement({entry->signature, 0, entry->place});
  return entry;
}

}  // namespace

Result<std::vector<StepSpec>> preprocess_steps(std::string_view code, Place place) {
  const CodeProgram program = TRY(read_program(code, place));
  const CodeFunction* entry = TRY(entry_of(program, "preprocess", place));
  return is_torchvision(program) ? torchvision_steps(program, *entry)
                                 : opencv_steps(program, *entry);
}

Result<std::vector<StepSpec>> postprocess_steps(std::string_view code, Place place) {
  const CodeProgram program = TRY(read_program(code, place));
  const CodeFunction* entry = TRY(entry_of(program, "postprocess", place));
  if (!program.statements.empty()) return unknown_statement(program.statements[0]);
  std::size_t furthest = 0;
  for (const Form& form : kForms) {
    ComparisonForm comparison(*entry);
    if (comparison.holds(form.body)) return steps_of(form.steps, comparison.found(), entry->place);
    furthest = std::max(furthest, comparison.lines_equal());
  }
  if (entry->body.empty()) return unknown_statement({entry->signature, 0, entry->place});
  return unknown_statement(entry->body[std::min(furthest, entry->body.size() - 1)]);
}

}  // namespace ridge::manifest
