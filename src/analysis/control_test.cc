// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "analysis/resolved.h"
#include "analysis/testing.h"

namespace ridge::analysis {
namespace {

using testing::looped;
using testing::node;
using testing::resolve_error;
using testing::resolved;
using testing::shown;
using testing::type_of;

constexpr std::string_view kBranches = R"(
  graph small
    constant w1[4,8]
    small: MatMul(x, w1) -> s
    output s
  graph large
    constant w2[4,4] w3[4,8]
    first: MatMul(x, w2) -> t
    second: MatMul(t, w3) -> u
    output u
)";

std::string with_if(std::string_view condition) {
  return fmt::format(
      "graph main\n input x[2,4]\n{}\n choose: If(c) {{then_branch=graph:small "
      "else_branch=graph:large}} -> y\n output y\n{}",
      condition, kBranches);
}

TEST(Control, TheDearerBranchOfAnIfCounts) {
  const Resolved r = resolved(with_if("input c[]"));
  EXPECT_EQ(shown(r, "choose"), "float32[2,8]");
  EXPECT_EQ(shown(r, "small"),
            "float32[2,8] params 32 x0 (the other branch, which does more work, is counted)");
  EXPECT_EQ(shown(r, "first"), "float32[2,4] macs 32 bytes 96+32 params 16");
  EXPECT_EQ(r.totals().macs.value(), 32 + 64);
  EXPECT_EQ(r.totals().unknown, 0);
}

TEST(Control, AKnownConditionDecides) {
  EXPECT_EQ(resolved(with_if("flags c=1")).totals().macs.value(), 64);
  EXPECT_EQ(resolved(with_if("flags c=0")).totals().macs.value(), 96);
}

TEST(Control, ABranchThatCannotBeDoesNotRun) {
  const Resolved r = resolved(R"(
    graph main
      input x[2,4] c[]
      choose: If(c) {then_branch=graph:bad else_branch=graph:good} -> y
      output y
    graph bad
      constant w[5,8]
      bad: MatMul(x, w) -> s
      output s
    graph good
      good: Relu(x) -> u
      output u
  )");
  EXPECT_EQ(shown(r, "choose"), "float32[2,4]");
  EXPECT_EQ(shown(r, "good"), "float32[2,4] flops 8 bytes 32+32");
  EXPECT_EQ(r.repeat(node(r, "bad")).value(), 0);
  EXPECT_EQ(r.totals().macs.value(), 0);
}

TEST(Control, BranchesThatDisagreeLeaveADimensionOpen) {
  const Resolved r = resolved(R"(
    graph main
      input x[2,4] c[]
      choose: If(c) {then_branch=graph:wide else_branch=graph:same} -> y
      output y
    graph wide
      twice: Concat(x, x) {axis=1} -> s
      output s
    graph same
      same: Relu(x) -> u
      output u
  )");
  EXPECT_EQ(shown(r, "choose"), "float32[2,?]");
}

constexpr std::string_view kLoopBody = R"(
  graph body
    input i[] going[] h[2,4]
    constant w[4,4]
    step: MatMul(h, w) -> next
    keep: Identity(going) -> still
    output still next next
)";

TEST(Control, ALoopRepeatsItsBodyAsOftenAsItsLimitSays) {
  const Resolved r = resolved(
      fmt::format("graph main\n input x[2,4]\n integers m=5\n flags c=1\n"
                  " loop: Loop(m, c, x) {{body=graph:body}} -> last, all\n output last all\n{}",
                  kLoopBody));
  EXPECT_EQ(shown(r, "loop"), "float32[2,4] float32[5,2,4]");
  EXPECT_EQ(shown(r, "step"), "float32[2,4] macs 160 bytes 480+160 params 16 x5");
  EXPECT_EQ(r.totals().macs.value(), 160);
  EXPECT_EQ(r.totals().params, 16);
}

TEST(Control, ALoopWhoseTripsDependOnDataIsUnknownWithTheReason) {
  const Resolved r = resolved(
      fmt::format("graph main\n input x[2,4] m[]\n flags c=1\n"
                  " loop: Loop(m, c, x) {{body=graph:body}} -> last, all\n output last all\n{}",
                  kLoopBody));
  EXPECT_EQ(shown(r, "loop"), "float32[2,4] float32[?,2,4]");
  EXPECT_EQ(shown(r, "step"),
            "float32[2,4] macs ? bytes ?+? params 16 x? unknown (how often node #0 'loop' repeats "
            "its body depends on data)");
  EXPECT_EQ(r.totals().unknown, 1);
  EXPECT_TRUE(r.totals().incomplete.test(Totals::kMacs));
  EXPECT_FALSE(r.totals().incomplete.test(Totals::kFlops));
}

TEST(Control, ABoundOfOneTripIsNoBoundOfTripsWithoutOne) {
  const auto most = [](std::string_view trips) {
    const Resolved r = resolved(fmt::format(R"(
      graph main
        input x[5,10] {}
        flags c=1
        loop: Loop(m, c, x) {{body=graph:body}} -> last
        output last
      graph body
        input i[] go[] h[5,10]
        constant w[7,1,3,4] b[7] characters[20,4]
        words: com.microsoft.WordConvEmbedding(h, w, b, characters) -> v
        output go h
    )",
                                            trips));
    EXPECT_TRUE(r.counts(node(r, "words")).macs.unknown());
    return r.macs_max(node(r, "words"));
  };
  // Five words, eight windows of three characters, four numbers each, seven filters; three times.
  EXPECT_EQ(most("y[]\n        integers m=3").value(), 3 * 5 * 8 * (3 * 4) * 7);
  EXPECT_TRUE(most("m[]").unknown());
}

TEST(Control, ASearchRunsItsDecoderAtMostOncePerToken) {
  const Resolved r = resolved(R"(
    graph main
      input ids[2,5]
      integers most[1]=20 beams[1]=3 kept[1]=2
      search: com.microsoft.BeamSearch(ids, most, _, beams, kept) {decoder=graph:token vocab_size=7 eos_token_id=1 pad_token_id=0} -> text, scores, steps
      output text scores steps
    graph token
      input h[6,4]
      constant w[4,7]
      step: MatMul(h, w) -> logits
      output logits
  )");
  EXPECT_EQ(shown(r, "search"), "int32[2,2,20] float32[2,2] float32[15,2,3,7]");
  const NodeCounts& step = r.counts(node(r, "step"));
  EXPECT_TRUE(step.macs.unknown());
  EXPECT_EQ(r.macs_max(node(r, "step")).value(), 20 * 6 * 4 * 7);
  EXPECT_EQ(step.reason, "how many tokens node #0 'search' makes depends on data");
  EXPECT_EQ(r.totals().params, 4 * 7);
}

TEST(Control, ALoopThatIsNotEnteredCountsNothing) {
  const Resolved r = resolved(
      fmt::format("graph main\n input x[2,4]\n integers m=5\n flags c=0\n"
                  " loop: Loop(m, c, x) {{body=graph:body}} -> last, all\n output last all\n{}",
                  kLoopBody));
  EXPECT_EQ(shown(r, "loop"), "float32[2,4] float32[0,2,4]");
  EXPECT_EQ(r.totals().macs.value(), 0);
}

TEST(Control, ACarriedShapeThatGrowsIsOpen) {
  const Resolved r = resolved(looped(R"(
      grow: Concat(h, h) {axis=0} -> next
      keep: Identity(c) -> still
      output still next
  )"));
  EXPECT_EQ(shown(r, "loop"), "float32[?,4]");
}

TEST(Control, InsideALoopItsConditionIsTrue) {
  const Resolved r = resolved(R"(
    graph main
      input x[2,4]
      integers m=3
      flags c=1
      outer: Loop(m, c, x) {body=graph:outer} -> last
      output last
    graph outer
      input i[] going[] h
      integers k=7
      inner: Loop(k, going, h) {body=graph:inner} -> next
      keep: Identity(going) -> still
      output still next
    graph inner
      input j[] on[] g
      work: Relu(g) -> made
      stay: Identity(on) -> yes
      output yes made
  )");
  EXPECT_EQ(r.repeat(node(r, "work")).value(), 3 * 7);
}

TEST(Control, ALoopMayHandItsBodyOneElementInsteadOfAScalar) {
  const Resolved r = resolved(R"(
    graph main
      input x[2,4]
      integers m[1]=3
      flags c[1]=1
      loop: Loop(m, c, x) {body=graph:body} -> last
      output last
    graph body
      input i[1] going[1] h[2,4]
      trip: Unsqueeze(i, axis) -> number
      integers axis[1]=0
      keep: Identity(going) -> still
      output still h
  )");
  EXPECT_EQ(shown(r, "trip"), "int64[1,1] x3");
  EXPECT_EQ(shown(r, "keep"), "bool[1] x3");
}

TEST(Control, NestedLoopsMultiply) {
  const Resolved r = resolved(R"(
    graph main
      input x[2,4]
      integers m=3
      outer: Loop(m, _, x) {body=graph:outer} -> last
      output last
    graph outer
      input i[] going[] h
      integers k=7
      inner: Loop(k, _, h) {body=graph:inner} -> next
      keep: Identity(going) -> still
      output still next
    graph inner
      input j[] on[] g
      work: Relu(g) -> made
      stay: Identity(on) -> yes
      output yes made
  )");
  EXPECT_EQ(shown(r, "work"), "float32[2,4] flops 168 bytes 672+672 x21");
}

TEST(Control, DeeplyNestedLoopsThatNeverSettleStayAffordable) {
  std::string text =
      "graph main\n input x[2,4]\n integers m=3\n l0: Loop(m, _, x) {body=graph:g1} -> last\n "
      "output last\n";
  for (int depth = 1; depth < 24; ++depth)
    text += fmt::format(
        "graph g{0}\n input i{0}[] c{0}[] h{0}\n integers m{0}=3\n l{0}: Loop(m{0}, _, h{0}) "
        "{{body=graph:g{1}}} -> a{0}\n"
        " grow{0}: Concat(a{0}, a{0}) {{axis=0}} -> n{0}\n output c{0} n{0}\n",
        depth, depth + 1);
  text += "graph g24\n input i[] c[] h\n grow: Concat(h, h) {axis=0} -> n\n output c n\n";
  const Resolved r = resolved(text);
  EXPECT_EQ(type_of(r, "last"), "float32[?,4]");
}

TEST(Control, AScanRunsOncePerSlice) {
  const Resolved r = resolved(R"(
    graph main
      input state[4] xs[6,4]
      scan: Scan(state, xs) {body=graph:body num_scan_inputs=1} -> last, ys
      output last ys
    graph body
      input s x
      add: Add(s, x) -> next
      square: Mul(next, next) -> y
      output next y
  )");
  EXPECT_EQ(shown(r, "scan"), "float32[4] float32[6,4]");
  EXPECT_EQ(shown(r, "add"), "float32[4] flops 24 bytes 192+96 x6");
}

TEST(Control, ACallIsItsBody) {
  const Resolved r = resolved(R"(
    graph main
      input x[2,4]
      constant w[4,4]
      one: local.Layer(x, w) -> h
      two: local.Layer(h, w) -> y
      output y
    function local.Layer
      input a b
      mm: MatMul(a, b) -> c
      act: Relu(c) -> d
      output d
  )");
  EXPECT_EQ(shown(r, "one"), "float32[2,4]");
  EXPECT_EQ(shown(r, "mm"), "float32[2,4] macs 32 bytes 96+32 params 16");
  EXPECT_EQ(r.totals().macs.value(), 64);
  EXPECT_EQ(r.totals().params, 16);
  EXPECT_EQ(type_of(r, "y"), "float32[2,4]");
}

TEST(Control, MalformedControlFlowIsRefused) {
  EXPECT_EQ(resolve_error("graph main\n input c[]\n bad: If(c) {then_branch=graph:t} -> y\n output "
                          "y\ngraph t\n constant k[1]\n output k"),
            R"(error: sketch: graph 'main' > node #0 'bad': If: attribute 'else_branch' is missing
  hint: the file violates the ONNX standard; export it again
  [RIDGE-ANA-0301]
)");
  EXPECT_EQ(
      resolve_error(
          "graph main\n input x[2] m[] c[]\n bad: Loop(m, c, x) {body=graph:b} -> y\n output y\n"
          "graph b\n input i\n output i"),
      R"(error: sketch: graph 'main' > node #0 'bad': Loop: its body has 1 inputs, but 1 carried values require 3
  hint: the file violates the ONNX standard; export it again
  [RIDGE-ANA-0301]
)");
}

// The function has a bias that this call leaves out, also in a nested call and in a branch.
TEST(Control, AnInputThatACallLeavesOutIsAbsentInside) {
  const Resolved r = resolved(R"(
    graph main
      input x[1,3,8,8] b[4]
      constant w[4,3,3,3]
      without: my.Outer(x, w) -> y
      with: my.Outer(x, w, b) -> z
      empty: my.Outer(x, w, _) -> v
      output y z v
    function my.Outer
      input X W B
      inner: my.Conv(X, W, B) -> O
      output O
    function my.Conv
      input P Q R
      conv: Conv(P, Q, R) -> C
      output C
  )");
  std::vector<std::string> flops;
  for (graph::NodeId n = 0; n < r.model().nodes().size(); ++n)
    if (r.model().node(n).op_type == "Conv" && r.model().node(n).domain.empty())
      flops.push_back(r.dims().text(r.counts(n).flops));
  EXPECT_EQ(flops, (std::vector<std::string>{"0", "144", "0"}));  // 4 * 6 * 6 outputs
}

}  // namespace
}  // namespace ridge::analysis
