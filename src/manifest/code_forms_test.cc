// SPDX-License-Identifier: Apache-2.0
#include "manifest/code_forms.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace ridge::manifest {
namespace {

std::string shown_forms(const Result<std::vector<StepSpec>>& steps) {
  if (!steps.ok()) return steps.error().text();
  std::string out;
  for (const StepSpec& s : *steps) {
    out += s.name;
    for (const StepParameter& p : s.parameters) out += fmt::format(" {}={}", p.name, p.value);
    out += "\n";
  }
  return out;
}

std::string before(std::string_view code) { return shown_forms(preprocess_steps(code, {1, 1})); }
std::string after(std::string_view code) { return shown_forms(postprocess_steps(code, {1, 1})); }

std::string composed(std::string_view transforms) {
  return fmt::format(
      "from torchvision import transforms\nfrom PIL import Image\n"
      "chain = transforms.Compose([\n{}\n])\n"
      "def preprocess(ctx, data):\n"
      "    img = Image.open(dataset[int(data)]).convert('RGB')\n"
      "    return chain(img).numpy()\n",
      transforms);
}

/// Code that reads an image with OpenCV and passes it to a function with the given body.
std::string followed(std::string_view body, std::string_view call = "f(img)",
                     std::string_view signature = "f(img)") {
  return fmt::format(
      "import numpy as np\nimport cv2\ndef {}:\n{}\n  return img\n"
      "def preprocess(ctx, data):\n  img = cv2.imread(dataset[int(data)])\n  return {}\n",
      signature, body, call);
}

constexpr std::string_view kHelpers = R"(def center_crop(img, out_height, out_width):
  height, width, _ = img.shape
  left = int((width - out_width) / 2)
  right = int((width + out_width) / 2)
  top = int((height - out_height) / 2)
  bottom = int((height + out_height) / 2)
  img = img[top:bottom, left:right]
  return img
def resize_with_aspectratio(img, out_height, out_width, scale=80, inter_pol=cv2.INTER_LINEAR):
  height, width, _ = img.shape
  new_height = int(100. * out_height / scale)
  new_width = int(100. * out_width / scale)
  if height > width:
    w = new_width
    h = int(new_height * height / width)
  else:
    h = new_height
    w = int(new_width * width / height)
  img = cv2.resize(img, (w, h), interpolation=inter_pol)
  return img
)";

TEST(PreprocessForms, TorchvisionTransformsBecomeSteps) {
  EXPECT_EQ(
      before(composed("transforms.Resize(288), transforms.CenterCrop(256),\n"
                      "transforms.ToTensor(),\n"
                      "transforms.Normalize(mean=[51 / 255, 0.5, 0.4], std=[0.1, .2, 0.3]),")),
      "decode library=pillow color_mode=RGB orientation=stored\n"
      "resize short=288 method=pillow_bilinear rounding=truncate\n"
      "crop height=256 width=256 rounding=half_even\n"
      "cast type=float32\n"
      "normalize divide=255 mean=0.2, 0.5, 0.4 std=0.1, 0.2, 0.3 arithmetic=float32\n"
      "layout order=CHW\n");
  EXPECT_EQ(before(composed("transforms.Resize((48, 64)), transforms.ToTensor()")),
            "decode library=pillow color_mode=RGB orientation=stored\n"
            "resize height=48 width=64 method=pillow_bilinear\n"
            "cast type=float32\nnormalize divide=255 arithmetic=float32\nlayout order=CHW\n");
}

TEST(PreprocessForms, UnknownTransformsAreRefused) {
  EXPECT_EQ(
      before(composed("transforms.Resize(9), transforms.RandomCrop(8), transforms.ToTensor()")),
      "error: line 3, column 1: no step is known for the code 'transforms.RandomCrop(8)'\n"
      "  hint: code is recognized, never run; state the steps instead (`steps:` of inputs[] "
      "and outputs[])\n  [RIDGE-MAN-0043]\n");
  // A tensor is resized by other arithmetic than an image.
  EXPECT_NE(before(composed("transforms.ToTensor(), transforms.Resize(9)")).find("RIDGE-MAN-0043"),
            std::string::npos);
  EXPECT_NE(before(composed("transforms.Resize(9)")).find("RIDGE-MAN-0043"), std::string::npos);
}

/// Calls of kHelpers.
std::string calls() {
  return followed(
      "  img = cv2.cvtColor(img, cv2.COLOR_BGR2RGB)\n"
      "  output_height, output_width, _ = dims\n"
      "  how = cv2.INTER_AREA\n"
      "  img = resize_with_aspectratio(img, output_height, output_width, inter_pol=how)\n"
      "  img = center_crop(img, output_height, output_width)\n"
      "  img = np.asarray(img, dtype='float32')\n"
      "  means = np.array([120.5, 110, 100])\n"
      "  img -= means\n"
      "  scale = 60.5\n"
      "  img /= scale\n"
      "  if need_transpose:\n"
      "    img = img.transpose([2, 0, 1])",
      "f(img, [192, 192, 3], True)", "f(img, dims=None, need_transpose=False)");
}

TEST(PreprocessForms, OpenCvIsFollowedThroughFunctions) {
  EXPECT_EQ(before(std::string(kHelpers) + calls()),
            "decode library=opencv color_mode=RGB orientation=exif\n"
            "resize short=240 method=opencv_area rounding=truncate\n"
            "crop height=192 width=192 rounding=floor\n"
            "cast type=float32\n"
            "normalize mean=120.5, 110, 100 arithmetic=float64\n"
            "normalize std=60.5 arithmetic=float32\n"
            "layout order=CHW\n");
}

// In the branch before it, the same statement resizes only some images.
TEST(PreprocessForms, AStatementOfAnotherBlockIsNotTheFormsOwn) {
  std::string helpers(kHelpers);
  const std::string_view last = "  img = cv2.resize(img, (w, h)";
  helpers.replace(helpers.find(last), last.size(), "    img = cv2.resize(img, (w, h)");
  EXPECT_NE(before(helpers + calls()).find("RIDGE-MAN-0043"), std::string::npos);
}

// In NumPy, float32 with a float64 array is float64; in place it is rounded to float32 again.
TEST(PreprocessForms, TypesDecideTheArithmetic) {
  EXPECT_EQ(before(followed("  img = np.asarray(img, dtype='float32') / 255\n"
                            "  m = np.array([0.5, 0.4, 0.3])\n  s = np.array([0.1, 0.2, 0.3])\n"
                            "  img = (img - m) / s",
                            "np.ascontiguousarray(f(img), dtype=np.float32)")),
            "decode library=opencv color_mode=BGR orientation=exif\ncast type=float32\n"
            "normalize divide=255 arithmetic=float32\n"
            "normalize mean=0.5, 0.4, 0.3 std=0.1, 0.2, 0.3 arithmetic=float64\n"
            "layout order=HWC\n");
  EXPECT_EQ(before(followed("  img = np.asarray(img, dtype=np.float32)\n  img /= 255.0\n"
                            "  img -= 0.5\n  img *= 2")),
            "decode library=opencv color_mode=BGR orientation=exif\ncast type=float32\n"
            "normalize divide=255 mean=0.5 std=0.5 arithmetic=float32\nlayout order=HWC\n");
  // In place, the difference is rounded before it is divided.
  EXPECT_EQ(before(followed("  img = np.asarray(img, dtype='float32')\n"
                            "  m = np.array([0.1, 0.2, 0.3])\n  s = np.array([3, 5, 7])\n"
                            "  img -= m\n  img /= s")),
            "decode library=opencv color_mode=BGR orientation=exif\ncast type=float32\n"
            "normalize mean=0.1, 0.2, 0.3 arithmetic=float64\n"
            "normalize std=3, 5, 7 arithmetic=float64\nlayout order=HWC\n");
  EXPECT_EQ(before(followed("  img = np.asarray(img, dtype='float32')\n"
                            "  m = np.array([1, 2, 3])\n  img = img - m")),
            "error: line 8, column 1: the code returns float64, which no model here takes\n"
            "  hint: state the steps instead, or end with np.ascontiguousarray(..., "
            "dtype=np.float32)\n  [RIDGE-MAN-0046]\n");
}

TEST(PreprocessForms, TwoSwapsOfChannelsCancel) {
  const std::string_view swap = "  img = cv2.cvtColor(img, cv2.COLOR_BGR2RGB)\n";
  EXPECT_NE(before(followed(swap)).find("color_mode=RGB"), std::string::npos);
  EXPECT_NE(before(followed(fmt::format("{}{}", swap, swap))).find("color_mode=BGR"),
            std::string::npos);
}

TEST(PreprocessForms, UnknownStatementsNameTheirLine) {
  EXPECT_EQ(before(followed("  img = cv2.GaussianBlur(img, (3, 3), 0)")),
            "error: line 4, column 3: no step is known for the code "
            "'img=cv2.GaussianBlur(img,(3,3),0)'\n"
            "  hint: code is recognized, never run; state the steps instead (`steps:` of inputs[] "
            "and outputs[])\n  [RIDGE-MAN-0043]\n");
  // A factor that is no power of two would round otherwise than a division.
  EXPECT_NE(before(followed("  img = np.asarray(img, dtype='float32')\n  img *= 3")).find("img*=3"),
            std::string::npos);
  // uint8 arithmetic wraps.
  EXPECT_NE(before(followed("  img -= 5")).find("img-=5"), std::string::npos);
  EXPECT_NE(before("import os\n" + followed("  pass")).find("'import os'"), std::string::npos);
  EXPECT_EQ(before("x = 1\n"),
            "error: line 1, column 1: the code defines no function 'preprocess'\n"
            "  [RIDGE-MAN-0047]\n");
}

TEST(PreprocessForms, RedefinedNamesAreRefused) {
  EXPECT_EQ(before("def cv2(x):\n  return x\n"),
            "error: line 1, column 1: the function 'cv2' hides a name that the code uses "
            "otherwise\n  [RIDGE-MAN-0044]\n");
  EXPECT_EQ(before("def f(x):\n  return x\ndef f(x):\n  return x\n"),
            "error: line 3, column 1: the function 'f' is defined twice\n  [RIDGE-MAN-0045]\n");
}

TEST(PreprocessForms, EndlessCallsEnd) {
  EXPECT_NE(before(followed("  img = f(img, dims)", "f(img, [8, 8, 3])",
                            "f(img, dims=None, need_transpose=False)"))
                .find("RIDGE-MAN-0043"),
            std::string::npos);
}

std::string entry(std::string_view body) {
  return fmt::format("import json\ndef postprocess(ctx, data):\n{}", body);
}

TEST(PostprocessForms, ClassificationsBecomeSteps) {
  EXPECT_EQ(after(entry("  return data[0].tolist()")), "");
  EXPECT_EQ(after(entry("  return softmax(data[1], axis = 1).tolist()")),
            "softmax axis=1 output=1\n");
  EXPECT_EQ(after(entry("  return data[0][:, 1:].tolist()")),
            "drop_first axis=1 output=0 count=1\n");
  EXPECT_EQ(after(entry("  return [json.dumps([x.item()]) for x in np.argmax(data[2][:, 1:], "
                        "axis = 1)]")),
            "drop_first axis=1 output=2 count=1\nargsort output=2 top=1\n");
}

constexpr std::string_view kLoop =
    "  probs, labels, boxes = [], [], []\n"
    "  for i in range(len(data[0])):\n"
    "    cur_probs, cur_labels, cur_boxes = [], [], []\n"
    "    for j in range(len(data[0][i])):\n"
    "      prob, label, box = data[2][i][j], data[1][i][j], data[0][i][j].tolist()\n"
    "{}"
    "      cur_probs.append(prob)\n      cur_labels.append(label)\n      cur_boxes.append(box)\n"
    "    probs.append(cur_probs)\n    labels.append(cur_labels)\n    boxes.append(cur_boxes)\n"
    "  return probs, labels, boxes\n";

TEST(PostprocessForms, DetectionsStateTheirOutputs) {
  EXPECT_EQ(after(entry(fmt::format(kLoop, ""))), "boxes order=yxyx scores=2 classes=1 boxes=0\n");
  EXPECT_EQ(after(entry(fmt::format(kLoop,
                                    "      if label == -1:\n        continue\n"
                                    "      box = [box[1] / 300, box[0] / 400, box[3] / 300, "
                                    "box[2] / 400]\n"))),
            "boxes order=xyxy scores=2 classes=1 boxes=0 skip_class=-1 height=300 width=400\n");
  // The two heights of a box must be one.
  EXPECT_NE(after(entry(fmt::format(kLoop,
                                    "      box = [box[1] / 300, box[0] / 400, box[3] / 301, "
                                    "box[2] / 400]\n")))
                .find("line 8, column 7"),
            std::string::npos);
  EXPECT_NE(after(entry(fmt::format(kLoop, "      prob = prob * 2\n"))).find("'prob=prob*2'"),
            std::string::npos);
}

TEST(PostprocessForms, NothingButAKnownFormIsAccepted) {
  EXPECT_EQ(after(entry("  print(data)")),
            "error: line 3, column 3: no step is known for the code 'print(data)'\n"
            "  hint: code is recognized, never run; state the steps instead (`steps:` of inputs[] "
            "and outputs[])\n  [RIDGE-MAN-0043]\n");
  EXPECT_NE(after(entry("  return data[0].tolist()\n  return 1")).find("RIDGE-MAN-0043"),
            std::string::npos);
}

}  // namespace
}  // namespace ridge::manifest
