// SPDX-License-Identifier: Apache-2.0
// The identity of pieces: random changes of random graphs, judged by trying all assignments of
// their nodes (testing/toys.h, testing/toy_maker.h).
#include "bricks/form/form.h"

#include <gtest/gtest.h>

#include "bricks/form/likeness.h"
#include "bricks/testing/toy_maker.h"

namespace ridge::bricks {
namespace {

using testing::Craft;
using testing::crafted;
using testing::must;
using testing::network_of;
using testing::same_piece;
using testing::text_of;
using testing::Toy;
using testing::ToyMaker;

Form form_of(const Network& n) {
  const Cutter cutter(n);
  return must(canonical_form(n, cutter.piece(0, static_cast<std::uint32_t>(n.layers.size()))));
}
std::string key(const Network& n) { return form_of(n).key; }
std::string key(std::string_view text, const Craft& craft = {}) {
  return key(crafted(text, craft));
}
/// Key of a Clip, Conv or other single line over inputs x, z and weights w.
std::string key_of_line(std::string_view line) {
  return key(fmt::format(R"(graph main
    input x[1,4,8,8] z[1,4,8,8]
    constant w[4,4,1,1] v[4,4,1,1] big[4,4,3,3]
    {} -> y
    output y)",
                         line));
}

TEST(Form, IgnoresNamesAndOrder) {
  EXPECT_EQ(key(R"(graph main
    input x[1,4,8,8]
    constant w[4,4,1,1]
    conv: Conv(x, w) -> a
    add: Add(a, x) -> b
    relu: Relu(a) -> c
    output b c)"),
            key(R"(graph main
    input t0.0[1,4,8,8]
    constant r0[4,4,1,1]
    Relu(n0) -> y
    n0: Add(n0, t0.0) -> in0
    n0: Conv(t0.0, r0) -> n0
    output y in0)"));
}

TEST(Form, IgnoresWhatAnOmittedAttributeMeans) {
  EXPECT_EQ(key_of_line("Conv(x, w)"),
            key_of_line("Conv(x, w) {group=1 pads=[0,0,0,0] kernel_shape=[1,1] strides=[1,1]}"));
  EXPECT_EQ(key_of_line("Softmax(x)"), key_of_line("Softmax(x) {axis=3}"));
  EXPECT_EQ(key_of_line("LeakyRelu(x)"), key_of_line("LeakyRelu(x) {alpha=0.01f}"));
}

TEST(Form, DiffersForEveryFactOfANode) {
  std::map<std::string, std::string_view> lines;
  for (const std::string_view line : {"Conv(x, w)",
                                      "Conv(x, w) {strides=[2,2]}",
                                      "Conv(x, w) {pads=[0,0,1,1]}",
                                      "Conv(x, big) {pads=[1,1,1,1]}",
                                      "Conv(x, big) {pads=[2,2,2,2] dilations=[2,2]}",
                                      "Add(x, z)",
                                      "Add(x, x)",
                                      "Sub(x, z)",
                                      "Mul(x, x)",
                                      "com.acme.Add(x, z)",
                                      "Softmax(x)",
                                      "Softmax(x) {axis=2}",
                                      "LeakyRelu(x)",
                                      "Elu(x)",
                                      "Transpose(x) {perm=[0,1,3,2]}",
                                      "Transpose(x) {perm=[1,0,3,2]}",
                                      "Concat(x, z) {axis=2}",
                                      "Concat(x, z) {axis=3}",
                                      "Concat(x, z, x) {axis=3}",
                                      "Concat(x, x, z) {axis=3}"}) {
    const auto [at, fresh] = lines.emplace(key_of_line(line), line);
    EXPECT_TRUE(fresh) << line << " has the key of " << at->second;
  }
}

TEST(Form, ReadsElementsThatSteerAndNoWeights) {
  const auto with = [](std::string_view indices, std::string_view weights) {
    return key(fmt::format(R"(graph main
      input x[1,4,8,8]
      integers s[4]={}
      {}
      Gather(x, s) {{axis=1}} -> a
      Conv(a, w) -> y
      output y)",
                           indices, weights));
  };
  EXPECT_EQ(with("0,1,2,3", "constant w[4,4,1,1]"),
            with("0,1,2,3", "constant unused[3] w[4,4,1,1]"));  // another seed
  EXPECT_EQ(with("0,1,2,3", "constant w[4,4,1,1]"), with("0,1,2,-1", "constant w[4,4,1,1]"));
  EXPECT_NE(with("0,1,2,3", "constant w[4,4,1,1]"), with("0,1,3,2", "constant w[4,4,1,1]"));
  EXPECT_NE(with("0,1,2,3", "constant w[4,4,1,1]"), with("0,1,2,3", "constant w[5,4,1,1]"));
}

TEST(Form, ReadsHowManyScalesAndNoQuantizedWeights) {
  const auto with = [](std::string_view unused, std::string_view scales, int zero) {
    const std::shared_ptr<onnx::Document> document =
        graph::Sketch::document(fmt::format(R"(graph main
      input x[1,2,8,8]
      constant {}[3] w[2,2,1,1] z[1]
      reals s{} t=0.5
      QuantizeLinear(w, s) {{axis=0}} -> q
      DequantizeLinear(q, s) {{axis=0}} -> d
      QuantizeLinear(d, t, z) -> r
      DequantizeLinear(r, t, z) -> e
      Conv(x, e) -> y
      output y)",
                                            unused, scales));
    std::vector<onnx::Tensor> all(document->model.graph.initializers.begin(),
                                  document->model.graph.initializers.end());
    const std::vector<std::byte> element = {static_cast<std::byte>(zero)};
    for (onnx::Tensor& tensor : all)
      if (std::string_view(tensor.name) == "z") {
        tensor.type = onnx::DataType::kUint8;
        tensor.storage = onnx::Storage::kInline;
        tensor.bytes = document->arena.copy(element);
      }
    document->model.graph.initializers = document->arena.copy(all);
    return key(crafted(testing::resolved_document(document)));
  };
  EXPECT_EQ(with("unused", "[2]=0.5,0.25", 0), with("other", "[2]=0.5,0.125", 0));
  EXPECT_NE(with("unused", "[2]=0.5,0.25", 0), with("unused", "=0.5", 0));
  EXPECT_EQ(with("unused", "=0.5", 3), with("unused", "=0.5", 4));
  EXPECT_NE(with("unused", "=0.5", 3), with("unused", "=0.5", 0));
}

TEST(Form, ReadsNoBiasInInt32) {
  const auto with = [](std::string_view reader, int bias) {
    const std::shared_ptr<onnx::Document> document =
        graph::Sketch::document(fmt::format(R"(graph main
      input x[1,2,8,8]
      constant w[2,2,1,1] b[2] z[1]
      reals t=0.5 s[2]=0.5,0.25
      QuantizeLinear(x, t, z) -> q
      QuantizeLinear(w, t, z) -> v
      {} -> y
      output y)",
                                            reader));
    std::vector<onnx::Tensor> all(document->model.graph.initializers.begin(),
                                  document->model.graph.initializers.end());
    std::vector<std::byte> elements(8);
    elements[0] = static_cast<std::byte>(bias);
    const auto become = [&](onnx::Tensor& tensor, onnx::DataType type,
                            const std::vector<std::byte>& bytes) {
      tensor.type = type;
      tensor.storage = onnx::Storage::kInline;
      tensor.bytes = document->arena.copy(bytes);
    };
    for (onnx::Tensor& tensor : all) {
      if (std::string_view(tensor.name) == "b") become(tensor, onnx::DataType::kInt32, elements);
      if (std::string_view(tensor.name) == "z")
        become(tensor, onnx::DataType::kUint8, {std::byte{3}});
    }
    document->model.graph.initializers = document->arena.copy(all);
    return key(crafted(testing::resolved_document(document)));
  };
  for (const std::string_view reader :
       {"DequantizeLinear(b, s) {axis=0}", "QLinearConv(q, t, z, v, t, z, t, z, b)"})
    EXPECT_EQ(with(reader, 3), with(reader, 4)) << reader;
  EXPECT_NE(with("Gather(x, b) {axis=2}", 3), with("Gather(x, b) {axis=2}", 4));
}

/// Lines of which all have one key.
void expect_alike(const std::vector<std::string>& lines) {
  for (const std::string& line : lines)
    EXPECT_EQ(key_of_line(line), key_of_line(lines[0])) << line << " and " << lines[0];
}

TEST(Form, WritesPadsOut) {
  expect_alike({"Conv(x, big) {pads=[1,1,1,1]}", "Conv(x, big) {auto_pad='SAME_UPPER'}",
                "Conv(x, big) {auto_pad='SAME_LOWER'}"});
  // 8 of 3 in steps of 2: one element of padding, at the end.
  expect_alike({"Conv(x, big) {strides=[2,2] pads=[0,0,1,1]}",
                "Conv(x, big) {strides=[2,2] auto_pad='SAME_UPPER'}"});
  expect_alike({"Conv(x, big) {strides=[2,2] pads=[1,1,0,0]}",
                "Conv(x, big) {strides=[2,2] auto_pad='SAME_LOWER'}"});
  EXPECT_NE(key_of_line("Conv(x, big) {strides=[2,2] auto_pad='SAME_LOWER'}"),
            key_of_line("Conv(x, big) {strides=[2,2] auto_pad='SAME_UPPER'}"));
  expect_alike({"Conv(x, big)", "Conv(x, big) {auto_pad='VALID'}"});
  // 2 * 7 + 3 - 16 = 1
  expect_alike({"ConvTranspose(x, big) {strides=[2,2] output_shape=[16,16]}",
                "ConvTranspose(x, big) {strides=[2,2] pads=[1,1,0,0]}"});
}

TEST(Form, LeavesOutWhatHasNoEffect) {
  expect_alike({"MaxPool(x) {kernel_shape=[2,2] strides=[2,2]}",
                "MaxPool(x) {kernel_shape=[2,2] strides=[2,2] ceil_mode=1 storage_order=1}"});
  expect_alike({"AveragePool(x) {kernel_shape=[2,2]}",
                "AveragePool(x) {kernel_shape=[2,2] count_include_pad=1}"});
  EXPECT_NE(key_of_line("AveragePool(x) {kernel_shape=[3,3] pads=[1,1,1,1]}"),
            key_of_line("AveragePool(x) {kernel_shape=[3,3] pads=[1,1,1,1] count_include_pad=1}"));
  EXPECT_NE(key_of_line("MaxPool(x) {kernel_shape=[3,3] strides=[2,2]}"),
            key_of_line("MaxPool(x) {kernel_shape=[3,3] strides=[2,2] ceil_mode=1}"));
  expect_alike({"LeakyRelu(x) {alpha=0.1f}", "LeakyRelu(x) {alpha=0.2f}"});
}

TEST(Form, CountsAxesFromTheStart) {
  expect_alike({"Softmax(x) {axis=-2}", "Softmax(x) {axis=2}"});
  expect_alike({"Concat(x, z) {axis=-3}", "Concat(x, z) {axis=1}"});
  expect_alike({"ArgMax(x) {axis=-1}", "ArgMax(x) {axis=3}"});
}

TEST(Form, ExchangesOperands) {
  for (const char* op : {"Add", "Mul", "Max", "Min", "Sum", "Mean"})
    expect_alike({fmt::format("{}(x, v)", op), fmt::format("{}(v, x)", op)});
  EXPECT_NE(key_of_line("Sub(x, v)"), key_of_line("Sub(v, x)"));
  EXPECT_NE(key_of_line("Div(x, v)"), key_of_line("Div(v, x)"));
}

/// Key of a line over x[1,4,8,8] in an opset, with further lines of constants.
std::string key_in(int opset, std::string_view line, std::string_view constants = "") {
  const std::shared_ptr<onnx::Document> document = graph::Sketch::document(
      fmt::format("graph main\n input x[1,4,8,8]\n {}\n {} -> y\n output y", constants, line));
  document->model.opsets = document->arena.copy(std::vector<onnx::OperatorSet>{{"", opset}});
  return form_of(crafted(testing::resolved_document(document))).key;
}

TEST(Form, ReadsParametersWhereverAnOpsetHasThem) {
  EXPECT_EQ(key_in(11, "ReduceMean(x) {axes=[-1]}"),
            key_in(18, "ReduceMean(x, a)", "integers a[1]=3"));
  EXPECT_NE(key_in(11, "ReduceMean(x) {axes=[2]}"),
            key_in(18, "ReduceMean(x, a)", "integers a[1]=3"));
  EXPECT_EQ(key_in(9, "Slice(x) {starts=[1] ends=[9] axes=[2]}"),
            key_in(13, "Slice(x, b, e, a)", "integers b[1]=-7 e[1]=8 a[1]=-2"));
  EXPECT_EQ(key_in(9, "Pad(x) {pads=[0,0,1,0,0,0,0,2]}"),
            key_in(18, "Pad(x, p, _, a)", "integers p[4]=1,0,0,2 a[2]=2,3"));
  EXPECT_NE(key_in(9, "Pad(x) {pads=[0,0,1,0,0,0,0,2]}"),
            key_in(18, "Pad(x, p, _, a)", "integers p[4]=0,1,0,2 a[2]=2,3"));
  EXPECT_EQ(key_in(9, "Clip(x) {min=0.0f max=6.0f}"),
            key_in(13, "Clip(x, l, h)", "reals l=-1.0 h=4.0"));
  EXPECT_NE(key_in(9, "Clip(x) {min=0.0f}"), key_in(13, "Clip(x, l, h)", "reals l=-1.0 h=4.0"));
  EXPECT_EQ(key_in(8, "Relu(x)"), key_in(14, "Relu(x)"));
  EXPECT_EQ(key_in(12, "Softmax(x) {axis=3}"), key_in(13, "Softmax(x) {axis=-1}"));
  EXPECT_NE(key_in(12, "Softmax(x) {axis=1}"), key_in(13, "Softmax(x) {axis=1}"));
}

// Steps of a sequence: each is a brick of its own, and what rules one out rules out all.
TEST(Form, SeesWhichPiecesDifferOnlyInPositions) {
  const auto step = [](int at, int count) {
    const std::string text = fmt::format(
        "graph main\n input x[1,4,8,8]\n integers i={}\n Gather(x, i) {{axis={}}} -> y\n output y",
        at, count);
    const Network n = crafted(text);
    return std::pair(key(n), must(likeness(n, Cutter(n).piece(0, 1))));
  };
  EXPECT_NE(step(1, 1).first, step(2, 1).first);
  EXPECT_EQ(step(1, 1).second, step(2, 1).second);
  EXPECT_NE(step(1, 1).second, step(1, 2).second);
}

TEST(Form, TellsScalarsApartThatSelectAKernel) {
  const auto with = [](std::string_view op, std::string_view value) {
    return key_in(17, fmt::format("{}(x, k)", op), fmt::format("reals k={}", value));
  };
  EXPECT_EQ(with("Mul", "0.5"), with("Mul", "3.0"));
  EXPECT_NE(with("Mul", "0.5"), with("Mul", "1.0"));
  EXPECT_NE(with("Add", "0.5"), with("Add", "0.0"));
  EXPECT_NE(with("Add", "0.5"), with("Add", "-1000.0"));
  EXPECT_NE(with("Pow", "2.0"), with("Pow", "3.0"));
}

TEST(Form, ReadsExponentsOnlyWhereThereIsOne) {
  EXPECT_NE(key_in(13, "Pow(x, p)", "reals p[8]=2,2,2,2,2,2,2,2"),
            key_in(13, "Pow(x, p)", "reals p=2"));
}

TEST(Form, ReadsWhichNodesShareAWeight) {
  const auto with = [](const char* first, const char* second) {
    return key(fmt::format(R"(graph main
      input x[2,4]
      constant w[4,4] v[4,4]
      MatMul(x, {}) -> a
      MatMul(a, {}) -> y
      output y)",
                           first, second));
  };
  EXPECT_EQ(with("w", "v"), with("v", "w"));
  EXPECT_EQ(with("w", "w"), with("v", "v"));
  EXPECT_NE(with("w", "v"), with("w", "w"));
}

TEST(Form, ReadsTheLayoutsOfPorts) {
  constexpr std::string_view kText =
      "graph main\n input x[1,16,8,8]\n Relu(x) -> a\n Neg(a) -> y\n output y";
  std::set<std::string> keys = {key(kText), key(kText, {.blocked = {"x"}}),
                                key(kText, {.blocked = {"y"}}),
                                key(kText, {.blocked = {"x", "y"}})};
  EXPECT_EQ(keys.size(), 4U);
  // Between two nodes of the piece it is the runtime's own affair.
  EXPECT_EQ(key(kText), key(kText, {.blocked = {"a"}}));
}

TEST(Form, OrdersNodesAfterThoseTheyReadFrom) {
  const Network n = crafted(R"(graph main
    input x[1,4,8,8]
    constant w[4,4,1,1]
    relu: Relu(a) -> c
    add: Add(a, x) -> b
    conv: Conv(x, w) -> a
    output b c)");
  const Form form = form_of(n);
  std::vector<std::string_view> operators;
  for (const Unit u : form.order) operators.push_back(n.node(u).op_type);
  ASSERT_EQ(operators.size(), 3U);
  EXPECT_EQ(operators[0], "Conv");
  EXPECT_EQ(form.inputs.size(), 1U);
  EXPECT_EQ(form.outputs.size(), 2U);
  ASSERT_EQ(form.constants.size(), 1U);
  EXPECT_TRUE(form.constants[0].constant.weight);
  EXPECT_TRUE(form.constants[0].constant.bytes.empty());
}

/// A sum with a constant of these elements.
Form form_with_added(const std::vector<float>& elements) {
  const std::shared_ptr<onnx::Document> document = graph::Sketch::document(
      "graph main\n input x[2,4]\n constant m[4]\n sum: Add(x, m) -> y\n output y");
  onnx::Tensor m = document->model.graph.initializers[0];
  m.storage = onnx::Storage::kInline;
  m.bytes = std::as_bytes(std::span<const float>(document->arena.copy(elements)));
  document->model.graph.initializers = document->arena.copy(std::vector<onnx::Tensor>{m});
  return form_of(crafted(testing::resolved_document(document)));
}

TEST(Form, KeepsTheElementsOfAnAddedMaskAndNotThoseOfABias) {
  const std::vector<float> mask = {0, -100, 0, 0};
  const Form masked = form_with_added(mask);
  ASSERT_EQ(masked.constants.size(), 1U);
  EXPECT_FALSE(masked.constants[0].constant.weight);
  EXPECT_TRUE(std::ranges::equal(masked.constants[0].constant.bytes,
                                 std::as_bytes(std::span<const float>(mask))));
  EXPECT_NE(masked.key, form_with_added({0, 0, -100, 0}).key);
  const Form bias = form_with_added({0, -79, 3, 0.5F});
  EXPECT_TRUE(bias.constants[0].constant.weight);
  EXPECT_TRUE(bias.constants[0].constant.bytes.empty());
  EXPECT_EQ(bias.key, form_with_added({1, 2, 3, 4}).key);
}

// Both sums look alike until one sees at which of its inputs each reads the shared tensor.
TEST(Form, DoesNotDependOnTheOrderOfOutputsThatShareAnInput) {
  EXPECT_EQ(key(R"(graph main
    input x[2,4] y[2,4] z[2,4]
    Add(x, y) -> a
    Add(y, z) -> b
    output a b)"),
            key(R"(graph main
    input x[2,4] y[2,4] z[2,4]
    Add(y, z) -> b
    Add(x, y) -> a
    output a b)"));
}

// Six sums in one ring, or three and three: no labels of neighbors tell their outputs apart.
TEST(Form, TellsRingsApart) {
  const auto ring = [](const std::vector<std::pair<int, int>>& sums) {
    std::string text = "graph main\n input", outputs;
    for (std::size_t i = 0; i < sums.size(); ++i) text += fmt::format(" x{}[2,4]", i);
    for (std::size_t i = 0; i < sums.size(); ++i) {
      text += fmt::format("\nAdd(x{}, x{}) -> y{}", sums[i].first, sums[i].second, i);
      outputs += fmt::format(" y{}", i);
    }
    return key(text + "\noutput" + outputs);
  };
  const std::string six = ring({{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 0}});
  EXPECT_EQ(six, ring({{3, 4}, {0, 1}, {5, 0}, {2, 3}, {4, 5}, {1, 2}}));
  const std::string three = ring({{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}});
  EXPECT_EQ(three, ring({{3, 4}, {1, 2}, {5, 3}, {0, 1}, {4, 5}, {2, 0}}));
  EXPECT_NE(six, three);
}

/// Pieces that were seen, by key.
class Judge {
 public:
  /// Fails if the key stands for another piece.
  void see(const Toy& toy, const std::string& key) {
    const auto [at, fresh] = seen_.emplace(key, toy);
    if (fresh) return;
    ++repeats_;
    EXPECT_TRUE(same_piece(toy, at->second)) << "one key for\n"
                                             << text_of(toy) << "\nand\n"
                                             << text_of(at->second);
  }
  /// Fails unless the keys agree exactly if the pieces do.
  void compare(const Toy& a, const std::string& key_a, const Toy& b, const std::string& key_b) {
    const bool same = same_piece(a, b);
    (same ? same_ : other_) += 1;
    EXPECT_EQ(key_a == key_b, same) << text_of(a) << "\nand\n" << text_of(b);
  }
  std::size_t same() const { return same_; }
  std::size_t other() const { return other_; }
  std::size_t repeats() const { return repeats_; }

 private:
  std::map<std::string, Toy> seen_;
  std::size_t same_ = 0, other_ = 0, repeats_ = 0;
};

/// Checks `edits` random edits of random toys.
void check_edits(std::uint32_t seed, int edits, Judge& judge) {
  ToyMaker maker(seed);
  for (int done = 0; done < edits;) {
    const Toy toy = maker.toy();
    const std::string plain = key(network_of(toy));
    judge.see(toy, plain);
    for (int i = 0; i < 8 && done < edits; ++i, ++done) {
      const testing::Dress dress = maker.dress();
      if (i < 2) {
        EXPECT_EQ(key(network_of(toy, dress)), plain) << "dress " << dress.seed << " of\n"
                                                      << text_of(toy);
      } else {
        const Toy changed = maker.changed(toy);
        const std::string other = key(network_of(changed, dress));
        judge.see(changed, other);
        judge.compare(toy, plain, changed, other);
      }
      if (::testing::Test::HasFailure()) {
        ADD_FAILURE() << "seed " << seed << ", edit " << done;
        return;
      }
    }
  }
}

/// `a`, and behind it `b`, which reads results of `a` in place of some of its ports.
Toy followed(const Toy& a, const Toy& b, std::mt19937& random) {
  using testing::Ref;
  Toy out = a;
  const auto ports = static_cast<int>(a.ports.size()), nodes = static_cast<int>(a.nodes.size()),
             constants = static_cast<int>(a.constants.size());
  out.ports.insert(out.ports.end(), b.ports.begin(), b.ports.end());
  out.constants.insert(out.constants.end(), b.constants.begin(), b.constants.end());
  for (testing::ToyNode n : b.nodes) {
    for (Ref& r : n.inputs) {
      const bool port = r.kind == Ref::kPort;
      const auto of = static_cast<std::size_t>(r.at);
      r.at += port ? ports : r.kind == Ref::kConstant ? constants : nodes;
      if (!port || b.ports[of].flag || random() % 3 == 0) continue;
      auto result =
          std::next(a.results.begin(), static_cast<std::ptrdiff_t>(random() % a.results.size()));
      if (ToyMaker::is_half(a, *result) != b.ports[of].half) continue;
      r = *result;
      out.results.erase(r);  // returned as well it would be kept (piece.h), and another port
    }
    out.nodes.push_back(n);
  }
  for (Ref r : b.results) out.results.insert({r.kind, r.at + nodes, r.output});
  return out;
}

TEST(Form, IsTheSameInsideAnotherModel) {
  std::mt19937 random(3);
  ToyMaker maker(4);
  // Inside another model, one that returns a tensor that it also reads only reads it.
  const auto keeps_inner = [](const Network& n) {
    const Piece all = Cutter(n).piece(0, static_cast<std::uint32_t>(n.layers.size()));
    return !std::ranges::all_of(all.outputs, &CrossingTensor::donor);
  };
  for (int round = 0; round < 300; ++round) {
    Toy a = maker.toy(), b = maker.toy();
    while (keeps_inner(network_of(a))) a = maker.toy();
    while (b.size != a.size) b = maker.toy();
    b.opset = a.opset, b.wide = a.wide;
    const Toy both = followed(a, b, random);
    const Network n = network_of(both);
    const auto layers = static_cast<std::uint32_t>(network_of(a).layers.size());
    const Form inside = must(canonical_form(n, Cutter(n).piece(0, layers)));
    ASSERT_EQ(inside.key, key(network_of(a, maker.dress()))) << text_of(a) << "\nbefore more\n"
                                                             << text_of(both);
  }
}

TEST(Form, OfRandomGraphsIsTheirIdentity) {
  Judge judge;
  check_edits(1, 2'000, judge);
  EXPECT_GT(judge.other(), 900U);
  EXPECT_GT(judge.same(), 20U);
  EXPECT_GT(judge.repeats(), 20U);
}

class FormSlow : public ::testing::TestWithParam<std::uint32_t> {};

TEST_P(FormSlow, OfRandomGraphsIsTheirIdentity) {
  Judge judge;
  check_edits(GetParam(), 25'000, judge);
}

INSTANTIATE_TEST_SUITE_P(Seeds, FormSlow, ::testing::Values(11, 12, 13, 14));

}  // namespace
}  // namespace ridge::bricks
