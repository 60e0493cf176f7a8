// SPDX-License-Identifier: Apache-2.0
#include "crafted_models.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "onnx/testing.h"
#include "workplace.h"

namespace ridge::tests {
namespace {

namespace fs = std::filesystem;
using onnx::testing::field;
using onnx::testing::varint;
using onnx::testing::wire;

constexpr std::uint32_t kModelGraph = 7, kModelFunctions = 25, kFunctionNode = 7;
constexpr std::uint32_t kGraphNode = 1, kGraphInitializer = 5, kGraphInput = 11, kGraphOutput = 12;
constexpr std::uint32_t kNodeInput = 1, kNodeOutput = 2, kNodeOpType = 4, kNodeAttribute = 5;
constexpr std::uint32_t kAttributeName = 1, kAttributeReference = 21;
constexpr std::uint32_t kTensorRawData = 9;

std::string repeated(std::int64_t times, const std::string& text) {
  std::string out;
  out.reserve(text.size() * static_cast<std::size_t>(times));
  for (std::int64_t i = 0; i < times; ++i) out += text;
  return out;
}

std::string model(const std::string& graph, const std::string& more = "") {
  return wire("ir_version: 8") + field(kModelGraph, graph) +
         wire("opset_import { version: 17 } opset_import { domain: \"local\" version: 1 }") + more;
}

/// Float input of two elements.
std::string input(const std::string& name) {
  return field(kGraphInput, wire(fmt::format("name: \"{}\" type {{ tensor_type {{ elem_type: 1 "
                                             "shape {{ dim {{ dim_value: 2 }} }} }} }}",
                                             name),
                                 "value"));
}

std::string output(const std::string& name) {
  return field(kGraphOutput, wire(fmt::format("name: \"{}\"", name), "value"));
}

/// Node from fields, without parsing text: models have hundreds of thousands of them. `more`:
/// further fields, in bytes.
std::string node(const std::string& op, const std::string& in, const std::string& out,
                 const std::string& more = "") {
  return field(kGraphNode,
               field(kNodeOpType, op) + field(kNodeInput, in) + field(kNodeOutput, out) + more);
}

std::string local_call(const std::string& function, const std::string& in, const std::string& out,
                       const std::string& more = "") {
  return node(function, in, out, more + wire("domain: \"local\"", "node"));
}

/// Nested messages in linear time: `before` are the bytes in front of each field of a level,
/// `fields` the field numbers, outermost first. Lengths are computed from the inside out, then the
/// headers are concatenated from the outside in.
std::string nested(std::int64_t depth, const std::vector<std::uint32_t>& fields,
                   const std::vector<std::string>& before, const std::string& leaf) {
  std::vector<std::string> heads;
  std::size_t size = leaf.size();
  for (std::int64_t level = 0; level < depth; ++level) {
    for (std::size_t i = fields.size(); i-- > 0;) {
      heads.push_back(before[i] + varint(fields[i] << 3 | 2) + varint(size));
      size += heads.back().size();
    }
  }
  std::string out;
  out.reserve(size);
  for (auto head = heads.rbegin(); head != heads.rend(); ++head) out += *head;
  return out + leaf;
}

std::string nested_ifs(std::int64_t depth) {
  // graph > node (If) > attribute then_branch > graph
  return model(nested(depth, {kGraphNode, 5, 6},
                      {"", wire("op_type: \"If\" input: \"c\"", "node"),
                       wire("name: \"then_branch\" type: 5", "attribute")},
                      ""));
}

std::string nested_types(std::int64_t depth) {
  // type > sequence_type > elem_type
  const std::string type =
      nested(depth, {4, 1}, {"", ""}, wire("tensor_type { elem_type: 1 }", "type"));
  return model(field(kGraphInput, wire("name: \"x\"", "value") + field(2, type)));
}

/// Functions of which f0 calls f1, …; the last calls Relu. `calls`: number of calls in each.
std::string call_chain(std::int64_t length, int calls) {
  std::string functions;
  for (std::int64_t i = 0; i < length; ++i) {
    std::string body;
    const bool last = i + 1 == length;
    const std::string op = last ? "Relu" : fmt::format("f{}", i + 1);
    for (int k = 0; k < calls; ++k) {
      body += fmt::format("node {{ op_type: \"{}\" domain: \"{}\" input: \"{}\" output: \"{}\" }} ",
                          op, last ? "" : "local", k == 0 ? "x" : "t", k + 1 == calls ? "y" : "t");
    }
    functions +=
        field(kModelFunctions,
              wire(fmt::format("name: \"f{}\" domain: \"local\" input: \"x\" output: \"y\" {} "
                               "opset_import {{ version: 17 }}",
                               i, body),
                   "function"));
  }
  return model(input("x") + local_call("f0", "x", "y") + output("y"), functions);
}

/// Chain of Relu nodes.
std::string chain(std::int64_t nodes) {
  std::string graph = input("v0");
  for (std::int64_t i = 0; i < nodes; ++i)
    graph += node("Relu", fmt::format("v{}", i), fmt::format("v{}", i + 1));
  return model(graph + output(fmt::format("v{}", nodes)));
}

/// Chain of Relu nodes in reverse file order.
std::string backwards(std::int64_t nodes) {
  std::string graph = input("v0");
  for (std::int64_t i = nodes; i-- > 0;)
    graph += node("Relu", fmt::format("v{}", i), fmt::format("v{}", i + 1));
  return model(graph + output(fmt::format("v{}", nodes)));
}

/// Nodes with five outputs each: 200,000 of them have a million values.
std::string splits(std::int64_t nodes) {
  std::string graph = wire(
      "input { name: \"x\" type { tensor_type { elem_type: 1 shape { dim { dim_value: 10 } } } } }",
      "graph");
  for (std::int64_t i = 0; i < nodes; ++i) {
    std::string outputs;
    for (int k = 0; k < 4; ++k) outputs += field(kNodeOutput, fmt::format("v{}.{}", i, k));
    graph += node("Split", "x", fmt::format("v{}.4", i), outputs);
  }
  return model(graph);
}

const std::string kAxis = wire("attribute { name: \"axis\" i: 0 type: 2 }", "node");

/// Node that reads `inputs` different values, besides "x".
std::string wide(const std::string& op, std::int64_t inputs, const std::string& more) {
  std::string graph, names;
  for (std::int64_t i = 0; i < inputs; ++i) {
    graph += node("Identity", "x", fmt::format("v{}", i));
    names += field(kNodeInput, fmt::format("v{}", i));
  }
  return model(input("x") + graph + node(op, "x", "y", names + more) + output("y"));
}

/// Call with `count` attributes of a function whose body refers to each of them.
std::string references(std::int64_t count) {
  const std::string one = wire("i: 1 type: 2", "attribute"), number = wire("type: 2", "attribute");
  std::string given, taken;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::string name = fmt::format("a{}", i);
    given += field(kNodeAttribute, field(kAttributeName, name) + one);
    taken += field(kNodeAttribute, field(kAttributeName, fmt::format("b{}", i)) +
                                       field(kAttributeReference, name) + number);
  }
  const std::string relu = wire("op_type: \"Relu\" input: \"x\" output: \"y\"", "node");
  const std::string function =
      wire("name: \"f\" domain: \"local\" input: \"x\" output: \"y\"", "function") +
      field(kFunctionNode, relu + taken) + wire("opset_import { version: 17 }", "function");
  return model(input("x") + local_call("f", "x", "y", given), field(kModelFunctions, function));
}

/// Unknown operator with `count` graphs as attributes.
std::string bodies(std::int64_t count) {
  const std::string body = wire("g { } type: 5", "attribute");
  std::string graphs;
  for (std::int64_t i = 0; i < count; ++i)
    graphs += field(kNodeAttribute, field(kAttributeName, fmt::format("a{}", i)) + body);
  return model(input("x") + node("Switch", "x", "y", graphs));
}

/// Chain of additions of a constant of 4,096 integers to itself.
std::string folds(std::int64_t nodes) {
  std::string graph =
      field(kGraphInitializer, wire("name: \"v0\" dims: 4096 data_type: 7", "tensor") +
                                   field(kTensorRawData, std::string(std::size_t{4096} * 8, '\0')));
  for (std::int64_t i = 0; i < nodes; ++i) {
    const std::string in = fmt::format("v{}", i);
    graph += node("Add", in, fmt::format("v{}", i + 1), field(kNodeInput, in));
  }
  return model(graph + output(fmt::format("v{}", nodes)));
}

/// Nested loops, each of which doubles the first dimension of the value that it carries.
std::string nested_loops(std::int64_t depth) {
  const std::string around = wire(
      "input { name: \"i\" } input { name: \"c\" } input { name: \"x\" } "
      "output { name: \"c\" } output { name: \"y\" } "
      "node { op_type: \"Concat\" input: \"t\" input: \"t\" output: \"y\" "
      "attribute { name: \"axis\" i: 0 type: 2 } }",
      "graph");
  const std::string leaf =
      around + wire("node { op_type: \"Relu\" input: \"x\" output: \"t\" }", "graph");
  const std::string inner =
      nested(depth, {kGraphNode, 5, 6},
             {around,
              wire("op_type: \"Loop\" input: \"m\" input: \"\" input: \"x\" output: \"t\"", "node"),
              wire("name: \"body\" type: 5", "attribute")},
             leaf);
  const std::string loop =
      field(kGraphNode,
            wire("op_type: \"Loop\" input: \"m\" input: \"\" input: \"v\" output: \"w\"", "node") +
                field(5, wire("name: \"body\" type: 5", "attribute") + field(6, inner)));
  return model(input("v") +
               wire("initializer { name: \"m\" data_type: 7 int64_data: [2] }", "graph") + loop +
               output("w"));
}

/// Chain of calls, each inside 30 nested Ifs: the deepest nesting that is accepted.
std::string nested_calls(std::int64_t length) {
  std::string functions;
  for (std::int64_t i = 0; i < length; ++i) {
    const bool last = i + 1 == length;
    const std::string call =
        (last ? node("Relu", "x", "r") : local_call(fmt::format("f{}", i + 1), "x", "r")) +
        output("r");
    const std::string choice = wire(
        "op_type: \"If\" input: \"c\" output: \"r\" attribute { name: \"else_branch\" type: 5 g { "
        "node { op_type: \"Relu\" input: \"x\" output: \"e\" } output { name: \"e\" } } }",
        "node");
    const std::string body =
        nested(30, {kGraphNode, 5, 6},
               {output("r"), choice, wire("name: \"then_branch\" type: 5", "attribute")}, call);
    // The outermost body is the function, whose nodes are field 7.
    const std::string nodes = field(
        kFunctionNode,
        choice + field(5, wire("name: \"then_branch\" type: 5", "attribute") + field(6, body)));
    functions += field(kModelFunctions,
                       wire(fmt::format("name: \"f{}\" domain: \"local\" input: \"x\" input: \"c\" "
                                        "output: \"r\" opset_import {{ version: 17 }} "
                                        "opset_import {{ domain: \"local\" version: 1 }}",
                                        i),
                            "function") +
                           nodes);
  }
  return model(
      input("x") + input("c") + local_call("f0", "x", "y", field(kNodeInput, "c")) + output("y"),
      functions);
}

/// Inputs with one free dimension each.
std::string free_inputs(std::int64_t count) {
  const std::string element = wire("elem_type: 1", "tensor_type");
  std::string graph;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::string shape = field(1, field(2, fmt::format("n{}", i)));  // dim { dim_param }
    const std::string type = field(1, element + field(2, shape));
    graph += field(kGraphInput, field(1, fmt::format("x{}", i)) + field(2, type));
  }
  return model(graph);
}

/// Chain of calls between functions whose nodes have names of 60,000 bytes.
std::string long_scopes(std::int64_t calls) {
  const std::string name(60'000, 'n');
  std::string functions;
  for (std::int64_t i = 0; i < calls; ++i) {
    const bool last = i + 1 == calls;
    std::string body;
    for (int k = 0; k < 10; ++k)
      body +=
          field(kFunctionNode,
                wire(fmt::format("op_type: \"{}\" domain: \"{}\" input: \"x\" output: \"t{}\"",
                                 last ? "Relu" : fmt::format("f{}", i + 1), last ? "" : "local", k),
                     "node") +
                    field(3, name));
    functions +=
        field(kModelFunctions,
              wire(fmt::format("name: \"f{}\" domain: \"local\" input: \"x\" output: \"t0\" "
                               "opset_import {{ version: 17 }}",
                               i),
                   "function") +
                  body);
  }
  return model(input("x") + local_call("f0", "x", "y") + output("y"), functions);
}

std::string rank(std::int64_t dimensions) {
  const std::string tensor = wire("name: \"w\" data_type: 1", "tensor") +
                             field(1, repeated(dimensions, varint(1))) +
                             wire("float_data: 1.0f", "tensor");
  return model(field(kGraphInitializer, tensor));
}

/// Input of that many dimensions, and a Transpose of it.
std::string input_rank(std::int64_t dimensions) {
  const std::string shape = repeated(dimensions, wire("dim { dim_value: 1 }", "shape"));
  const std::string type = field(1, wire("elem_type: 1", "tensor_type") + field(2, shape));
  return model(field(kGraphInput, wire("name: \"x\"", "value") + field(2, type)) +
               node("Transpose", "x", "y") + output("y"));
}

/// Chain that alternately extends and transposes a value of 64 dimensions: all shapes differ.
std::string turns(std::int64_t nodes) {
  const std::string shape = repeated(64, wire("dim { dim_value: 1 }", "shape"));
  const std::string type = field(1, wire("elem_type: 1", "tensor_type") + field(2, shape));
  std::string graph = field(kGraphInput, wire("name: \"v0\"", "value") + field(2, type));
  const auto longer = [](int axis) {
    return field(kNodeInput, "v0") +
           field(5, wire(fmt::format("name: \"axis\" i: {} type: 2", axis), "attribute"));
  };
  const std::string along[] = {longer(0), longer(63)};  // follows the transpositions
  for (std::int64_t i = 0; i < nodes; ++i) {
    const bool turn = i % 2 == 1;
    graph += node(turn ? "Transpose" : "Concat", fmt::format("v{}", i), fmt::format("v{}", i + 1),
                  turn ? "" : along[i / 2 % 2]);
  }
  return model(graph);
}

std::string random_bytes(std::int64_t size) {
  std::mt19937 generator(7);
  std::string out;
  for (std::int64_t i = 0; i < size; ++i) out += static_cast<char>(generator());
  return out;
}

/// Writes a file whose middle is a hole of `size` zero bytes.
void write_holed(const fs::path& path, const std::string& before, std::int64_t size,
                 const std::string& after) {
  write_text(path, before);
  fs::resize_file(path, before.size() + static_cast<std::uintmax_t>(size));
  std::ofstream(path, std::ios::binary | std::ios::app) << after;
}

/// Writes a model of x [2, 2] times a weight of `size` bytes, [2, size / 8].
void write_large_weight(const fs::path& path, std::int64_t size) {
  const std::string in = wire(
      "name: \"x\" type { tensor_type { elem_type: 1 shape { dim { dim_value: 2 } "
      "dim { dim_value: 2 } } } }",
      "value");
  const std::string tail =
      field(kGraphInput, in) + node("MatMul", "x", "y", field(kNodeInput, "w")) + output("y");
  const std::string head =
      wire(fmt::format("dims: 2 dims: {} data_type: 1 name: \"w\"", size / 8), "tensor") +
      varint(kTensorRawData << 3 | 2) + varint(static_cast<std::uint64_t>(size));
  const std::uint64_t tensor = head.size() + static_cast<std::uint64_t>(size);
  const std::string opening = varint(kGraphInitializer << 3 | 2) + varint(tensor);
  const std::uint64_t graph = opening.size() + tensor + tail.size();
  write_holed(path,
              wire("ir_version: 8") + varint(kModelGraph << 3 | 2) + varint(graph) + opening + head,
              size, tail + wire("opset_import { version: 17 }"));
}

/// Writes a model with a node whose name is `size` zero bytes.
void write_long_name(const fs::path& path, std::int64_t size) {
  const std::string head = wire("op_type: \"Relu\" input: \"x\" output: \"y\"", "node") +
                           varint(3 << 3 | 2) + varint(static_cast<std::uint64_t>(size));
  const std::uint64_t node = head.size() + static_cast<std::uint64_t>(size);
  const std::string opening = varint(kGraphNode << 3 | 2) + varint(node);
  write_holed(path,
              wire("ir_version: 8") + varint(kModelGraph << 3 | 2) + varint(opening.size() + node) +
                  opening + head,
              size, wire("opset_import { version: 17 }"));
}

using Recipe = std::string (*)(std::int64_t);
struct Named {
  std::string_view name;
  Recipe make;
};

constexpr Named kRecipes[] = {
    {"nested_ifs", nested_ifs},
    {"nested_types", nested_types},
    {"call_chain", [](std::int64_t n) { return call_chain(n, 1); }},
    {"call_tree", [](std::int64_t n) { return call_chain(n, 2); }},
    {"chain", chain},
    {"backwards", backwards},
    {"splits", splits},
    {"wide_sum", [](std::int64_t n) { return wide("Sum", n, ""); }},
    {"wide_concat", [](std::int64_t n) { return wide("Concat", n, kAxis); }},
    {"wide_gather", [](std::int64_t n) { return wide("Gather", n, kAxis); }},
    {"wide_unknown", [](std::int64_t n) { return wide("Nobody", n, ""); }},
    {"references", references},
    {"bodies", bodies},
    {"folds", folds},
    {"nested_loops", nested_loops},
    {"nested_calls", nested_calls},
    {"free_inputs", free_inputs},
    {"long_scopes", long_scopes},
    {"turns", turns},
    {"rank", rank},
    {"input_rank", input_rank},
    {"empty_nodes", [](std::int64_t n) { return model(repeated(n, field(kGraphNode, ""))); }},
    {"small_nodes",
     [](std::int64_t n) { return model(repeated(n, field(kGraphNode, field(4, "A")))); }},
    {"zeros", [](std::int64_t n) { return std::string(static_cast<std::size_t>(n), '\0'); }},
    {"random", random_bytes},
};

}  // namespace

void make_large_file(const fs::path& path, std::string_view recipe, std::int64_t size) {
  if (recipe == "large_weight") return write_large_weight(path, size);
  if (recipe == "long_name") return write_long_name(path, size);
  const auto* const row = std::find_if(std::begin(kRecipes), std::end(kRecipes),
                                       [&](const Named& r) { return r.name == recipe; });
  if (row == std::end(kRecipes)) throw std::invalid_argument("no recipe " + std::string(recipe));
  write_text(path, row->make(size));
}

}  // namespace ridge::tests
