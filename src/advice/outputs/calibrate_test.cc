// SPDX-License-Identifier: Apache-2.0
// Int8 copies in a real ONNX Runtime.
#include "advice/outputs/calibrate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>
#include <map>
#include <random>

#include "advice/outputs/values.h"
#include "advice/run/check.h"
#include "attribution/testing.h"
#include "bricks/kernels.h"
#include "bricks/loader.h"
#include "graph/sketch.h"
#include "machine/int8_dot.h"
#include "onnx/weights.h"
#include "onnx/writer.h"
#include "zoo/source.h"

namespace ridge::advice {
namespace {

using analysis::testing::value;
using attribution::testing::must;
using attribution::testing::runtime_installed;
using Elements = std::vector<float>;

#define SKIP_WITHOUT_RUNTIME() \
  if (!runtime_installed()) GTEST_SKIP() << "no ONNX Runtime: scripts/fetch_onnxruntime.sh"

/// Outputs may be this far apart. Sums of two int8 products saturate on a processor without an
/// instruction for four of them, and then no bound holds: with AVX2 an output of 1.9 became 0.8.
double apart_by(double tolerance) {
  return machine::has_int8_dot(machine::this_host()) ? tolerance
                                                     : std::numeric_limits<double>::infinity();
}

measure::Request request() {
  measure::Request out;
  out.runtime = attribution::testing::options(runtime::Optimization::kAll);
  return out;
}

/// Elements of a float32 tensor of the file.
Elements stored(const analysis::Resolved& r, std::string_view name) {
  const std::vector<std::byte> bytes =
      must(onnx::load(r.model().document(), *r.model().value(value(r, name)).tensor, INT64_MAX));
  Elements out(bytes.size() / sizeof(float));
  std::memcpy(out.data(), bytes.data(), bytes.size());
  return out;
}

/// The convolution of kOneConv, one product after the other.
Elements convolved(const Elements& x, const Elements& w, const Elements& bias) {
  Elements out;
  for (std::size_t m = 0; m < 3; ++m)
    for (std::size_t row = 0; row < 5; ++row)
      for (std::size_t column = 0; column < 5; ++column) {
        double sum = bias.at(m);
        for (std::size_t c = 0; c < 2; ++c)
          for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t j = 0; j < 3; ++j) {
              const std::size_t y = row + i, z = column + j;  // in the padded image
              if (y < 1 || y > 5 || z < 1 || z > 5) continue;
              sum += static_cast<double>(x.at((c * 5 + y - 1) * 5 + z - 1)) *
                     w.at(((m * 2 + c) * 3 + i) * 3 + j);
            }
        out.push_back(static_cast<float>(sum));
      }
  return out;
}

constexpr std::string_view kOneConv = R"(graph main
  input x[1,2,5,5]
  constant w[3,2,3,3] b[3]
  Conv(x, w, b) {pads=[1,1,1,1]} -> c
  Relu(c) -> y
  output y)";

/// A .npy of float32.
std::string write_array(const std::string& name, const std::string& shape,
                        const Elements& elements) {
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (" + shape + "), }";
  header.resize((header.size() + 10 + 64) / 64 * 64 - 11, ' ');
  header += '\n';
  std::string out = "\x93NUMPY\x01";
  out += '\0';
  out += static_cast<char>(header.size() & 255);
  out += static_cast<char>(header.size() >> 8);
  out += header;
  out.append(reinterpret_cast<const char*>(elements.data()), elements.size() * sizeof(float));
  std::string path = ::testing::TempDir() + name;
  std::FILE* const file = std::fopen(path.c_str(), "wb");
  if (file == nullptr || std::fwrite(out.data(), 1, out.size(), file) != out.size())
    throw std::runtime_error("cannot write " + path);
  std::fclose(file);
  return path;
}

/// The input x in a file, and in memory.
struct Array {
  Elements x;
  std::string path;
  measure::Request request;

  Array(const std::string& name, const std::string& shape, int elements)
      : request(advice::request()) {
    for (int i = 0; i < elements; ++i) x.push_back(static_cast<float>(std::sin(i * 1.7) * 3));
    path = write_array(name, shape, x);
    request.inputs["x"] = path;
  }
  ~Array() { std::filesystem::remove(path); }
};

TEST(CalibrateSlow, RangesAreThoseOfAConvolutionByHand) {
  SKIP_WITHOUT_RUNTIME();
  const analysis::Resolved r = analysis::testing::resolved(kOneConv);
  const Array array("ridge-calibrate-ranges.npy", "1, 2, 5, 5", 50);
  const graph::ValueId values[] = {value(r, "x"), value(r, "c"), value(r, "y")};
  for (const std::int64_t max_bytes : {kCalibrationBytes, std::int64_t{1}}) {
    const rewrite::Ranges ranges = must(calibrate({&r, array.request}, values, max_bytes));
    const auto expect = [&](graph::ValueId v, const Elements& elements, float tolerance) {
      const auto [least, greatest] = std::ranges::minmax(elements);
      EXPECT_NEAR(ranges.at(v).minimum, least, tolerance);
      EXPECT_NEAR(ranges.at(v).maximum, greatest, tolerance);
    };
    Elements c = convolved(array.x, stored(r, "w"), stored(r, "b"));
    expect(values[0], array.x, 0);
    expect(values[1], c, 1e-5F);
    for (float& element : c) element = std::max(element, 0.F);
    expect(values[2], c, 1e-5F);
  }
}

/// The float nearest to each element among those that integers stand for.
Elements rounded(const Elements& from, float low, float high, int steps) {
  const float scale = (high - low) / static_cast<float>(steps);
  const float zero = std::nearbyint(-low / scale);
  Elements out;
  for (const float x : from) {
    const float integer = std::nearbyint(x / scale) + zero;
    out.push_back((std::clamp(integer, 0.F, static_cast<float>(steps)) - zero) * scale);
  }
  return out;
}

TEST(CalibrateSlow, AnInt8ConvolutionIsThatOfRoundedNumbers) {
  SKIP_WITHOUT_RUNTIME();
  const analysis::Resolved r = analysis::testing::resolved(kOneConv);
  const Array array("ridge-calibrate-conv.npy", "1, 2, 5, 5", 50);
  const analysis::Resolved copy = must(int8_copy({&r, array.request}));
  OutputReader reader = must(OutputReader::load({&copy, array.request}));
  const Elements got = must(reader.run(1)).at("y");

  const Elements all = stored(r, "w");
  Elements w;
  for (std::size_t m = 0; m < 3; ++m) {
    const Elements channel(all.begin() + static_cast<std::ptrdiff_t>(m * 18),
                           all.begin() + static_cast<std::ptrdiff_t>(m * 18 + 18));
    float most = 0;
    for (const float e : channel) most = std::max(most, std::abs(e));
    const Elements near = rounded(channel, -most, most, 254);
    w.insert(w.end(), near.begin(), near.end());
  }
  const auto [low, high] = std::ranges::minmax(array.x);
  Elements y = convolved(array.x, all, stored(r, "b"));
  const float most = std::ranges::max(y);
  y = rounded(convolved(rounded(array.x, low, high, 255), w, stored(r, "b")), 0, most, 255);
  ASSERT_EQ(got.size(), y.size());
  const double step = most / 255;
  std::size_t apart = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    EXPECT_NEAR(got[i], y[i], apart_by(step * 1.01));  // a tie may be rounded either way
    if (std::abs(got[i] - y[i]) > step * 0.01) ++apart;
  }
  EXPECT_LE(static_cast<double>(apart), apart_by(1));
}

TEST(CalibrateSlow, RangesSpanAllRuns) {
  SKIP_WITHOUT_RUNTIME();
  const analysis::Resolved r =
      analysis::testing::resolved("graph main\ninput x[4]\nNeg(x) -> n\nTanh(n) -> y\noutput y n");
  const graph::ValueId values[] = {value(r, "n")};
  const rewrite::Range range = must(calibrate({&r, request()}, values)).begin()->second;
  // Forty uniform elements between -1.73 and 1.73; of four, one end is often missed by far.
  EXPECT_LT(range.minimum, -1.4F);
  EXPECT_GT(range.maximum, 1.4F);
}

std::string calibration_error(std::string_view text, std::string_view name) {
  const analysis::Resolved r = analysis::testing::resolved(text);
  const graph::ValueId values[] = {value(r, name)};
  const Result<rewrite::Ranges> ranges = calibrate({&r, request()}, values);
  return ranges.ok() ? "calibrated" : ranges.error().text();
}

TEST(CalibrateSlow, NoSilentRange) {
  SKIP_WITHOUT_RUNTIME();
  EXPECT_EQ(calibration_error("graph main\ninput x[4]\nSqrt(x) -> h\nTanh(h) -> y\noutput y", "h"),
            "error: tensor 'h' has elements that are NaN or infinite, which int8 cannot represent\n"
            "  [RIDGE-WB-0096]\n");
  EXPECT_EQ(calibration_error("graph main\ninput x[4]\nShape(x) -> h\nTanh(x) -> y\noutput y", "h"),
            "error: the runtime returns no elements of 'h'\n  [RIDGE-WB-0095]\n");
}

/// Largest difference of the int8 copy's outputs from the model's, as a part of the largest one.
double difference(const analysis::Resolved& r, const measure::Request& asked) {
  const analysis::Resolved copy = must(int8_copy({&r, asked}));
  return must(compare_outputs({&r, asked}, {&copy, asked})).max_rel;
}

/// Number of kernels by operator.
std::map<std::string, int> kernel_counts(const analysis::Resolved& r) {
  bricks::Loader loader(request().runtime);
  std::map<std::string, int> out;
  for (const bricks::KernelKind& k : bricks::all_kernels(must(loader.load(r)))) ++out[k.op_type];
  return out;
}

std::map<std::string, int> int8_kernels(std::string_view text) {
  const analysis::Resolved r = analysis::testing::resolved(text);
  return kernel_counts(must(int8_copy({&r, request()})));
}

constexpr std::string_view kSmallNetwork = R"(graph main
  input x[2,3,16,16]
  constant w0[8,3,3,3] b0[8] w1[8,1,3,3] w2[8,8,1,1] b2[8] w3[16,8,3,3] w4[16,24,1,1] f[16,10] g[10]
  reals six=6 zero=0
  Conv(x, w0, b0) {pads=[1,1,1,1]} -> a
  Relu(a) -> a1
  Conv(a1, w1) {pads=[1,1,1,1] group=8} -> d
  Clip(d, zero, six) -> d1
  Conv(d1, w2, b2) -> e
  Add(e, a1) -> s
  Relu(s) -> s1
  MaxPool(s1) {kernel_shape=[2,2] strides=[2,2]} -> p
  Conv(p, w3) {pads=[1,1,1,1]} -> h
  Sigmoid(h) -> m
  Mul(h, m) -> h1
  Concat(h1, p) {axis=1} -> k
  Conv(k, w4) -> t
  HardSwish(t) -> t1
  GlobalAveragePool(t1) -> q
  Flatten(q) -> l
  Gemm(l, f, g) -> y
  output y)";

TEST(CalibrateSlow, ASmallNetworkInInt8IsNearTheModel) {
  SKIP_WITHOUT_RUNTIME();
  const analysis::Resolved r = analysis::testing::resolved(kSmallNetwork);
  const double apart = difference(r, request());
  EXPECT_LT(apart, apart_by(0.03));
  EXPECT_GT(apart, 1e-5);  // it is int8
  std::map<std::string, int> k = kernel_counts(must(int8_copy({&r, request()})));
  EXPECT_EQ(k["QLinearConv"], 5);
  EXPECT_EQ(k["QGemm"] + k["QLinearAdd"] + k["QLinearMul"] + k["QLinearSigmoid"], 4);
  EXPECT_EQ(k["QLinearConcat"] + k["QLinearGlobalAveragePool"], 2);
  EXPECT_EQ(k["Conv"] + k["FusedConv"] + k["Gemm"] + k["Relu"] + k["Clip"] + k["Add"], 0);
}

TEST(CalibrateSlow, MatrixProductsRunAsInt8Kernels) {
  SKIP_WITHOUT_RUNTIME();
  std::map<std::string, int> k = int8_kernels(
      "graph main\ninput x[3,4,8]\nconstant w[8,8] b[8] v[8,8]\nMatMul(x, w) -> a\n"
      "Add(b, a) -> c\nSoftmax(c) -> s\nMatMul(s, v) -> y\noutput y");
  EXPECT_EQ(k["QGemm"] + k["MatMulIntegerToFloat"], 2);
  EXPECT_EQ(k["Gemm"] + k["MatMul"] + k["DequantizeLinear"], 0);
  k = int8_kernels(
      "graph main\ninput x[4,8]\nconstant w[8,8] b[8] v[8,8]\nGemm(x, w, b) -> a\n"
      "Relu(a) -> s\nGemm(s, v) {alpha=0.5f transB=1} -> y\noutput y");
  EXPECT_EQ(k, (std::map<std::string, int>{{"QuantizeLinear", 1}, {"QGemm", 2}}));
}

/// Networks of tensors [1,4,6,6] in which int8 and floats meet in many ways.
class RandomNetwork {
 public:
  explicit RandomNetwork(unsigned seed) : random_(seed) {}

  std::string text() {
    for (int i = 0; i < 14; ++i) values_.push_back(node(pick(values_)));
    std::string outputs;
    for (std::size_t i = 2; i < values_.size(); i += 1 + random_() % 4) outputs += " " + values_[i];
    return "graph main\ninput x[1,4,6,6]\nreals six=6 zero=0 scales[4]=1,1,2,2\n" + constants_ +
           nodes_ + "output" + outputs + " " + values_.back() + "\n";
  }

 private:
  std::string pick(const std::vector<std::string>& from) { return from[random_() % from.size()]; }

  std::string add(const std::string& call, const std::string& attributes = "") {
    std::string name = fmt::format("v{}", ++count_);
    nodes_ += fmt::format("{} {{{}}} -> {}\n", call, attributes, name);
    return name;
  }

  std::string weight(const std::string& shape) {
    std::string name = fmt::format("w{}", ++count_);
    constants_ += fmt::format("constant {}[{}]\n", name, shape);
    return name;
  }

  std::string conv(const std::string& x, int from) {
    return add(
        "Conv(" + x + ", " + weight(fmt::format("4,{},3,3", from)) + ", " + weight("4") + ")",
        "pads=[1,1,1,1]");
  }

  std::string node(const std::string& x) {
    switch (random_() % 12) {
      case 0:
        return add("Relu(" + conv(x, 4) + ")");
      case 1:
        return add("Clip(" +
                   add("Conv(" + x + ", " + weight("4,1,3,3") + ")", "pads=[1,1,1,1] group=4") +
                   ", zero, six)");
      case 2:
        return add(pick({"Add", "Mul"}) + "(" + add("Tanh(" + x + ")") + ", " + pick(values_) +
                   ")");
      case 3:
        return conv(add("Concat(" + x + ", " + pick(values_) + ")", "axis=1"), 8);
      case 4:
        return add("MaxPool(" + add("Resize(" + x + ", _, scales)") + ")",
                   "kernel_shape=[2,2] strides=[2,2]");
      case 5:
        return add("AveragePool(" + x + ")", "kernel_shape=[3,3] pads=[1,1,1,1]");
      case 6:
        return add("MatMul(" + x + ", " + weight("6,6") + ")");
      case 7:
        return add("Add(" + weight("6") + ", " + add("MatMul(" + x + ", " + weight("6,6") + ")") +
                   ")");
      case 8:
        return add(
            pick({"Relu", "Sigmoid", "HardSwish", "Identity", "Tanh", "LeakyRelu", "Dropout"}) +
            "(" + x + ")");
      case 9:
        return add("Transpose(" + x + ")", "perm=[0,1,3,2]");
      case 10:
        return add("Mul(" + x + ", " +
                   add("Sigmoid(" +
                       add("Conv(" + add("GlobalAveragePool(" + x + ")") + ", " +
                           weight("4,4,1,1") + ")") +
                       ")") +
                   ")");
      default:
        return conv(x, 4);
    }
  }

  std::mt19937 random_;
  std::vector<std::string> values_ = {"x"};
  std::string constants_, nodes_;
  int count_ = 0;
};

TEST(CalibrateSlow, RandomNetworksRunAndStayNear) {
  SKIP_WITHOUT_RUNTIME();
  std::size_t products = 0;
  std::vector<double> apart;
  for (unsigned seed = 0; seed < 20; ++seed) {
    const std::string text = RandomNetwork(seed).text();
    SCOPED_TRACE(text);
    const analysis::Resolved r = analysis::testing::resolved(text);
    if (!rewrite::quantizable(r).ok()) continue;
    const Array array("ridge-calibrate-random.npy", "1, 4, 6, 6", 144);
    const Result<analysis::Resolved> copy = int8_copy({&r, array.request});
    ASSERT_TRUE(copy.ok()) << copy.error().text();
    std::map<std::string, int> k = kernel_counts(*copy);
    EXPECT_EQ(k["Conv"] + k["FusedConv"], 0);
    products += rewrite::quantized_nodes(r).size();
    apart.push_back(must(compare_outputs({&r, array.request}, {&*copy, array.request})).max_rel);
    EXPECT_LT(apart.back(), apart_by(0.15));
  }
  EXPECT_GT(products, 70U);
  std::ranges::sort(apart);
  EXPECT_LT(apart.at(apart.size() / 2), apart_by(0.03));
}

// The weights of a light model, which its file stores as one repeated value, and one that a node
// computes from another.
TEST(CalibrateSlow, WeightsAreThoseOfTheRun) {
  SKIP_WITHOUT_RUNTIME();
  const analysis::Resolved r = analysis::testing::resolved(R"(graph main
    input x[4,16]
    integers shape[2]=16,16 one[1]=16
    constant v[8,16]
    ConstantOfShape(shape) -> w
    ConstantOfShape(one) -> b
    Transpose(v) -> t
    Gemm(x, w, b) -> h
    Relu(h) -> h1
    MatMul(h1, t) -> y
    output y)");
  Array array("ridge-calibrate-weights.npy", "4, 16", 64);  // known, so that no range is exceeded
  const double apart = difference(r, array.request);
  EXPECT_LT(apart, apart_by(0.02));
  EXPECT_GT(apart, 1e-6);
  array.request.weights_as_is = true;  // all 0: so is the output
  EXPECT_EQ(difference(r, array.request), 0);
}

TEST(CalibrateSlow, ResNet18RunsInInt8Throughout) {
  SKIP_WITHOUT_RUNTIME();
  const auto model = std::make_shared<const graph::Model>(
      must(graph::Model::build(must(zoo::open_model("zoo:resnet18")))));
  const analysis::Resolved r = must(analysis::resolve(model, {}));
  const analysis::Resolved copy = must(int8_copy({&r, request()}));
  EXPECT_EQ(kernel_counts(copy), (std::map<std::string, int>{{"Flatten", 1},
                                                             {"NhwcMaxPool", 1},
                                                             {"QGemm", 1},
                                                             {"QLinearAdd", 8},
                                                             {"QLinearConv", 20},
                                                             {"QLinearGlobalAveragePool", 1},
                                                             {"QuantizeLinear", 1},
                                                             {"Transpose", 2}}));
  EXPECT_LT(must(compare_outputs({&r, request()}, {&copy, request()})).max_rel, apart_by(0.05));
}

TEST(CalibrateSlow, NothingIsRunWithoutAnInt8Copy) {
  const analysis::Resolved r =
      analysis::testing::resolved("graph main\ninput x[4]\nTanh(x) -> y\noutput y");
  const Result<analysis::Resolved> copy = int8_copy({&r, {}});
  ASSERT_FALSE(copy.ok());
  EXPECT_EQ(copy.error().code(), "RIDGE-REWRITE-0002");
}

}  // namespace
}  // namespace ridge::advice
