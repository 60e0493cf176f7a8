// SPDX-License-Identifier: Apache-2.0
// Models with control flow, run in both runtimes: executions of each node of a body, compared with
// the number of trips that the model was built with, and how its layer is known.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "attribution/testing.h"
#include "measure/testing/one_run.h"

namespace ridge::measure {
namespace {

using attribution::testing::must;

/// Result of a run: executions of named nodes, and why others have none.
struct Ran {
  std::string executions;  ///< "product 5, sum 5", by name
  std::string evidence;    ///< "product region, sum region", by name
  std::string without;     ///< "again merged(product)", by name
  std::int64_t macs = 0;   ///< sum over layers and nodes without a layer
};

analysis::Resolved resolved_for_opset(std::string_view text, std::int64_t opset) {
  std::shared_ptr<onnx::Document> document = graph::Sketch::document(text);
  const std::vector<onnx::OperatorSet> opsets{{"", opset}};
  document->model.opsets = document->arena.copy(opsets);
  return must(analysis::resolve(
      std::make_shared<const graph::Model>(must(graph::Model::build(document))), {}));
}

std::string node_name(const analysis::Resolved& r, graph::NodeId n) {
  const graph::Node& node = r.model().node(n);
  return std::string(node.name.empty() ? node.op_type : node.name);
}

std::string listed(const std::map<std::string, std::string>& rows) {
  std::string out;
  for (const auto& [key, value] : rows)
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", key, value);
  return out;
}

Ran described(const analysis::Resolved& r, const attribution::Attribution& a,
              const std::vector<std::int64_t>& times) {
  Ran ran;
  std::map<std::string, std::string> executions, evidence, without;
  for (const attribution::Layer& layer : a.layers)
    for (const profile::Member& m : layer.members) {
      executions[node_name(r, m.node)] = std::to_string(times[layer.kernels[0]]);
      evidence[node_name(r, m.node)] = profile::name(m.evidence);
      ran.macs += r.counts(m.node).macs.value();
    }
  for (const profile::WithoutLayer& w : a.without_layer) {
    ran.macs += r.counts(w.node).macs.value();
    if (r.model().node(w.node).op_type == "Constant") continue;
    without[node_name(r, w.node)] = std::string(profile::name(w.why)) +
                                    (w.with ? fmt::format("({})", node_name(r, *w.with)) : "");
  }
  ran.executions = listed(executions);
  ran.evidence = listed(evidence);
  ran.without = listed(without);
  return ran;
}

Ran run(const char* runtime, const analysis::Resolved& r) {
  const testing::OneRun one = must(testing::run_once(testing::options(runtime), r));
  return described(r, one.attribution, one.executions);
}

/// Five trips of a product whose result is carried and stacked.
constexpr std::string_view kCounted = R"(graph main
    input x[4,8]
    integers trips[]=5
    flags on[]=1
    constant w[8,8]
    loop: Loop(trips, on, x) {body=graph:body} -> y, all
    output y all
  graph body
    input i:int64[] go:bool[] s[4,8]
    keep: Identity(go) -> more
    product: MatMul(s, w) -> p
    act: Relu(p) -> next
    view: Tanh(next) -> seen
    output more:bool[] next[4,8] seen[4,8])";

TEST(ControlFlowSlow, ALoopsBodyRunsOncePerTripInEveryOpset) {
  SKIP_WITHOUT("ort");
  for (const std::int64_t opset : {11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22}) {
    const Ran ran = run("ort", resolved_for_opset(kCounted, opset));
    EXPECT_EQ(ran.executions, "act 5, keep 5, loop 1, product 5, view 5") << opset;
    EXPECT_EQ(ran.evidence.find("region"), std::string::npos) << opset << ": " << ran.evidence;
    EXPECT_EQ(ran.without, "") << opset;
    EXPECT_EQ(ran.macs, 5 * 4 * 8 * 8) << opset;
  }
}

struct Case {
  std::string_view what, text, executions, without;
  std::int64_t opset = 17;
};

// The number of trips is visible in the text; data-dependent cases are built so that it is known.
constexpr Case kCases[] = {
    {"without a condition; the limit is computed at load", R"(graph main
    input x[4,8]
    integers first[]=0
    size: Shape(x) -> sizes
    take: Gather(sizes, first) -> trips
    loop: Loop(trips, _, x) {body=graph:body} -> y
    output y
  graph body
    input i:int64[] go:bool[] s[4,8]
    keep: Identity(go) -> more
    act: Relu(s) -> next
    output more:bool[] next[4,8])",
     "act 4, keep 4, loop 1", "size folded, take folded"},
    {"the limit is computed from the data", R"(graph main
    input x[4,8]
    least: ReduceMin(x) {keepdims=0} -> least
    flat: Sub(least, least) -> zero
    one: Exp(zero) -> one
    three: Sum(one, one, one) -> three
    whole: Cast(three) {to=7} -> trips
    loop: Loop(trips, _, x) {body=graph:body} -> y
    output y
  graph body
    input i:int64[] go:bool[] s[4,8]
    keep: Identity(go) -> more
    act: Relu(s) -> next
    output more:bool[] next[4,8])",
     "act 3, flat 1, keep 3, least 1, loop 1, one 1, three 1, whole 1", ""},
    {"without a limit, as long as a condition holds", R"(graph main
    input x[4,8]
    flags on[]=1
    integers last[]=6 step[]=1
    loop: Loop(_, on, x) {body=graph:body} -> y
    output y
  graph body
    input i:int64[] go:bool[] s[4,8]
    count: Add(i, step) -> n
    keep: Less(n, last) -> more
    act: Relu(s) -> next
    output more:bool[] next[4,8])",
     "act 6, count 6, keep 6, loop 1", ""},
    {"with neither", R"(graph main
    input x[4,8]
    integers last[]=2
    loop: Loop(_, _, x) {body=graph:body} -> y
    output y
  graph body
    input i:int64[] go:bool[] s[4,8]
    keep: Less(i, last) -> more
    act: Relu(s) -> next
    output more:bool[] next[4,8])",
     "act 3, keep 3, loop 1", ""},
    {"no trip", R"(graph main
    input x[4,8]
    integers trips[]=5
    flags off[]=0
    loop: Loop(trips, off, x) {body=graph:body} -> y
    output y
  graph body
    input i:int64[] go:bool[] s[4,8]
    keep: Identity(go) -> more
    act: Relu(s) -> next
    output more:bool[] next[4,8])",
     "loop 1", "act not_executed, keep not_executed"},
    {"one element instead of a scalar", R"(graph main
    input x[4,8]
    integers trips[1]=3
    flags on[1]=1
    loop: Loop(trips, on, x) {body=graph:body} -> y
    output y
  graph body
    input i:int64[1] go:bool[1] s[4,8]
    keep: Identity(go) -> more
    number: Cast(i) {to=1} -> n
    sum: Add(s, n) -> next
    output more:bool[1] next[4,8])",
     "keep 3, loop 1, number 3, sum 3", ""},
    {"a state that grows", R"(graph main
    input x[1,8]
    integers trips[]=5
    loop: Loop(trips, _, x) {body=graph:body} -> y
    output y
  graph body
    input i:int64[] go:bool[] s[n,8]
    keep: Identity(go) -> more
    view: Tanh(x) -> seen
    grow: Concat(s, seen) {axis=0} -> next
    output more:bool[] next[m,8])",
     "grow 5, keep 5, loop 1, view 5", ""},
    {"loops inside loops", R"(graph main
    input x[4,8]
    integers many[]=3 few[]=2
    flags on[]=1
    outer: Loop(many, on, x) {body=graph:outer} -> y
    output y
  graph outer
    input i:int64[] go:bool[] s[4,8]
    keep: Identity(go) -> more
    inner: Loop(few, on, s) {body=graph:inner} -> next
    output more:bool[] next[4,8]
  graph inner
    input j:int64[] on2:bool[] t[4,8]
    stay: Identity(on2) -> yes
    act: Relu(t) -> made
    output yes:bool[] made[4,8])",
     "act 6, inner 3, keep 3, outer 1, stay 6", ""},
    {"a branch inside a loop, taken in the trips after the first", R"(graph main
    input x[4,8]
    integers trips[]=4 none[]=0
    loop: Loop(trips, _, x) {body=graph:body} -> y
    output y
  graph body
    input i:int64[] go:bool[] s[4,8]
    keep: Identity(go) -> more
    first: Greater(i, none) -> later
    choose: If(later) {then_branch=graph:yes else_branch=graph:no} -> next
    output more:bool[] next[4,8]
  graph yes
    then: Relu(s) -> a
    output a[4,8]
  graph no
    else: Tanh(s) -> b
    output b[4,8])",
     "choose 4, else 1, first 4, keep 4, loop 1, then 3", ""},
    {"a scan, and one inside a branch", R"(graph main
    input x[7,8] z[8]
    flags seed[1]=1
    least: ReduceMin(x) {keepdims=0} -> least
    same: Equal(least, least) -> yes
    scan: Scan(z, x) {body=graph:body num_scan_inputs=1} -> last, all
    choose: If(yes) {then_branch=graph:more else_branch=graph:less} -> y
    output last all y
  graph body
    input t[8] e[8]
    sum: Add(t, e) -> u
    view: Tanh(u) -> seen
    output u[8] seen[8]
  graph more
    inside: Scan(z, x) {body=graph:again num_scan_inputs=1} -> y2, all2
    output all2[7,8]
  graph less
    other: Relu(x) -> b
    output b[7,8]
  graph again
    input t2[8] e2[8]
    twice: Mul(t2, e2) -> u2
    output u2[8] u2[8])",
     "choose 1, inside 1, least 1, same 1, scan 1, sum 7, twice 7, view 7", "other not_executed"},
    {"a sequence as state, stacked afterwards", R"(graph main
    input x[4,8]
    integers trips[]=5
    none: SequenceEmpty() -> none
    loop: Loop(trips, _, none) {body=graph:body} -> many
    one: ConcatFromSequence(many) {axis=0} -> y
    output y
  graph body
    input i:int64[] go:bool[] s:sequence[n,8]
    keep: Identity(go) -> more
    view: Tanh(x) -> seen
    add: SequenceInsert(s, seen) -> next
    output more:bool[] next:sequence[n,8])",
     "add 5, keep 5, loop 1, none 1, one 1, view 5", ""},
    {"a sequence as output", R"(graph main
    input x[4,8]
    integers trips[]=2
    pair: SequenceConstruct(x, x) -> pair
    loop: Loop(trips, _, pair) {body=graph:body} -> many
    output many:sequence[4,8]
  graph body
    input i:int64[] go:bool[] s:sequence[4,8]
    keep: Identity(go) -> more
    view: Tanh(x) -> seen
    add: SequenceInsert(s, seen) -> next
    output more:bool[] next:sequence[4,8])",
     "add 2, keep 2, loop 1, pair 1, view 2", ""},
    {"an optional as state", R"(graph main
    input x[4,8]
    integers trips[]=3
    some: Optional(x) -> some
    loop: Loop(trips, _, some) {body=graph:body} -> last
    get: OptionalGetElement(last) -> y
    output y
  graph body
    input i:int64[] go:bool[] s:optional[4,8]
    keep: Identity(go) -> more
    take: OptionalGetElement(s) -> t
    view: Tanh(t) -> u
    put: Optional(u) -> next
    output more:bool[] next:optional[4,8])",
     "get 1, keep 3, loop 1, put 3, some 1, take 3, view 3", ""},
};

TEST(ControlFlowSlow, BodiesRunAsOftenAsTheModelSays) {
  SKIP_WITHOUT("ort");
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.what);
    try {
      const Ran ran = run("ort", resolved_for_opset(c.text, c.opset));
      EXPECT_EQ(ran.executions, c.executions);
      EXPECT_EQ(ran.without, c.without);
    } catch (const std::exception& e) {
      ADD_FAILURE() << e.what();
    }
  }
}

TEST(ControlFlowSlow, OpenvinoRunsABodyInItsOwnersLayer) {
  SKIP_WITHOUT("openvino");
  for (const std::int64_t opset : {11, 13, 16, 17, 21, 22}) {
    const Ran ran = run("openvino", resolved_for_opset(kCounted, opset));
    EXPECT_EQ(ran.executions, "act 1, loop 1, product 1, view 1") << opset;  // of the layer
    EXPECT_EQ(ran.evidence, "act region, loop runtime_list, product region, view region") << opset;
    EXPECT_EQ(ran.without, "keep eliminated") << opset;
    EXPECT_EQ(ran.macs, 5 * 4 * 8 * 8) << opset;
  }
}

}  // namespace
}  // namespace ridge::measure
