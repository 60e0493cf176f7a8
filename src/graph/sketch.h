// SPDX-License-Identifier: Apache-2.0
// Documents written as a few lines of text, for tests of the code based on the graph.
//
//   graph main                       a section; the first graph is the main graph
//     input x y                      an input may have a shape: x[batch,3,8], and an element type
//                                    instead of float32: n:int64[] d:double[] h:half[] c:bool[]
//                                    t:text[2].
//                                    s:sequence[2,4] and o:optional[2] contain float32 tensors of
//                                    that shape
//     constant w[4,4]                a float32 initializer with a seeded recipe
//     integers m=3 s[2]=1,2          int64 initializers with these elements
//     flags c=1 d[2]=0,1             bool initializers with these elements
//     reals h=0.5 v[2]=1,-2          float32 initializers with these elements
//     declare t[1,?]                 declared type of an intermediate value (value_info)
//     first: Add(x, w) -> t          a node; its name is optional; _ = omitted input or output
//     If(y) {then_branch=graph:yes k=3} -> z    attributes: an integer, integers k=[1,2], a float
//                                    k=0.5f, text k='same' (no blanks), @name = the caller's
//                                    attribute, graph:NAME = that section
//     local.Twice(t) {n=2} -> u      domain.Op
//     output z u
//   graph yes
//     …
//   function local.Twice             input, output and node lines; `attribute n=1` is a default
//
// Every name is a view into the arena. Malformed text is a bug of the test and fails an assertion.
#pragma once

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "onnx/document.h"

namespace ridge::graph {

class Sketch {
 public:
  /// Creates a document of IR version 8 that imports opset 17 and, at version 1, every other domain
  /// used.
  static std::shared_ptr<onnx::Document> document(std::string_view text) {
    auto doc = std::make_shared<onnx::Document>();
    Sketch sketch(*doc, doc->arena.copy(text));
    sketch.build();
    return doc;
  }

 private:
  struct Section {
    bool function = false;
    std::string_view name;
    std::vector<std::string_view> lines;
  };

  Sketch(onnx::Document& doc, std::string_view text) : doc_(doc), arena_(doc.arena) {
    for (std::string_view line : split(text, '\n')) {
      line = trim(line);
      if (line.empty()) continue;
      if (line.starts_with("graph ")) {
        sections_.push_back({false, trim(line.substr(6)), {}});
      } else if (line.starts_with("function ")) {
        sections_.push_back({true, trim(line.substr(9)), {}});
      } else {
        assert(!sections_.empty());
        sections_.back().lines.push_back(line);
      }
    }
  }

  void build() {
    doc_.path = "sketch";
    doc_.model.ir_version = 8;
    doc_.model.graph = graph(
        *std::find_if(sections_.begin(), sections_.end(), [](auto& s) { return !s.function; }));
    std::vector<onnx::Function> functions;
    for (const Section& s : sections_)
      if (s.function) functions.push_back(function(s));
    doc_.model.functions = arena_.copy(functions);
    std::vector<onnx::OperatorSet> opsets{{"", 17}};
    for (const std::string_view d : domains_) opsets.push_back({d, 1});
    doc_.model.opsets = arena_.copy(opsets);
  }

  onnx::Graph graph(const Section& s) {
    std::vector<onnx::Node> nodes;
    std::vector<onnx::Tensor> constants;
    std::vector<onnx::ValueInfo> inputs, outputs, inside;
    for (const std::string_view line : s.lines) {
      if (line.starts_with("input ")) {
        for (const auto word : split(line.substr(6), ' ')) inputs.push_back(value_info(word));
      } else if (line.starts_with("output ")) {
        for (const auto word : split(line.substr(7), ' ')) outputs.push_back(value_info(word));
      } else if (line.starts_with("constant ")) {
        for (const auto word : split(line.substr(9), ' ')) constants.push_back(constant(word));
      } else if (line.starts_with("integers ")) {
        for (const auto word : split(line.substr(9), ' '))
          constants.push_back(elements<std::int64_t>(word, onnx::DataType::kInt64));
      } else if (line.starts_with("flags ")) {
        for (const auto word : split(line.substr(6), ' '))
          constants.push_back(elements<std::uint8_t>(word, onnx::DataType::kBool));
      } else if (line.starts_with("reals ")) {
        for (const auto word : split(line.substr(6), ' '))
          constants.push_back(elements<float>(word, onnx::DataType::kFloat));
      } else if (line.starts_with("declare ")) {
        for (const auto word : split(line.substr(8), ' ')) inside.push_back(value_info(word));
      } else {
        nodes.push_back(node(line));
      }
    }
    onnx::Graph g;
    g.value_info = arena_.copy(inside);
    g.name = s.name;
    g.nodes = arena_.copy(nodes);
    g.initializers = arena_.copy(constants);
    g.inputs = arena_.copy(inputs);
    g.outputs = arena_.copy(outputs);
    return g;
  }

  onnx::Function function(const Section& s) {
    std::vector<onnx::Node> nodes;
    std::vector<onnx::Attribute> defaults;
    onnx::Function f;
    std::tie(f.domain, f.name) = qualified(s.name);
    for (const std::string_view line : s.lines) {
      if (line.starts_with("input "))
        f.inputs = arena_.copy(split(line.substr(6), ' '));
      else if (line.starts_with("output "))
        f.outputs = arena_.copy(split(line.substr(7), ' '));
      else if (line.starts_with("attribute "))
        defaults.push_back(attribute(trim(line.substr(10))));
      else
        nodes.push_back(node(line));
    }
    f.nodes = arena_.copy(nodes);
    f.default_attributes = arena_.copy(defaults);
    return f;
  }

  onnx::Node node(std::string_view line) {
    onnx::Node n;
    const std::size_t open = line.find('('), close = line.find(')'), arrow = line.rfind("->");
    assert(open != line.npos && close != line.npos && arrow != line.npos);
    std::string_view head = line.substr(0, open);
    if (const std::size_t colon = head.find(": "); colon != head.npos) {
      n.name = trim(head.substr(0, colon));
      head = head.substr(colon + 2);
    }
    std::tie(n.domain, n.op_type) = qualified(trim(head));
    n.inputs = names(line.substr(open + 1, close - open - 1));
    n.outputs = names(line.substr(arrow + 2));
    std::vector<onnx::Attribute> attributes;
    if (const std::size_t brace = line.find('{', close); brace < arrow)
      for (const auto word : split(line.substr(brace + 1, line.find('}') - brace - 1), ' '))
        attributes.push_back(attribute(word));
    n.attributes = arena_.copy(attributes);
    return n;
  }

  onnx::Attribute attribute(std::string_view word) {
    onnx::Attribute a;
    const std::size_t equals = word.find('=');
    a.name = word.substr(0, equals);
    const std::string_view value = word.substr(equals + 1);
    a.type = onnx::AttributeType::kInt;
    if (value.starts_with("@")) {
      a.ref_attr_name = value.substr(1);
    } else if (value.starts_with("graph:")) {
      a.type = onnx::AttributeType::kGraph;
      const auto section = std::find_if(sections_.begin(), sections_.end(), [&](const Section& s) {
        return !s.function && s.name == value.substr(6);
      });
      assert(section != sections_.end());
      a.g = arena_.make(graph(*section));
    } else if (value.starts_with("[")) {
      a.type = onnx::AttributeType::kInts;
      std::vector<std::int64_t> all;
      for (const auto part : split(value.substr(1, value.size() - 2), ','))
        all.push_back(number(part));
      a.ints = arena_.copy(all);
    } else if (value.starts_with("'")) {
      a.type = onnx::AttributeType::kString;
      a.s = value.substr(1, value.size() - 2);
    } else if (value.ends_with("f")) {
      a.type = onnx::AttributeType::kFloat;
      a.f = std::strtof(std::string(value).c_str(), nullptr);
    } else {
      a.i = number(value);
    }
    return a;
  }

  onnx::ValueInfo value_info(std::string_view word) {
    onnx::ValueInfo info;
    const std::size_t bracket = word.find('[');
    info.name = word.substr(0, bracket);
    info.type.kind = onnx::TypeKind::kTensor;
    info.type.elem_type = onnx::DataType::kFloat;
    onnx::TypeKind around = onnx::TypeKind::kNone;
    if (const std::size_t colon = info.name.find(':'); colon != word.npos)
      around = typed(info, info.name.substr(colon + 1));
    if (bracket != word.npos) shape(info, word.substr(bracket + 1, word.size() - bracket - 2));
    if (around != onnx::TypeKind::kNone) {
      const onnx::TypeInfo* element = arena_.make(info.type);
      info.type = {};
      info.type.kind = around;
      info.type.element = element;
    }
    return info;
  }

  /// Removes a suffix such as ":int64" from a name; returns the container of the tensor, or kNone.
  static onnx::TypeKind typed(onnx::ValueInfo& info, std::string_view type) {
    constexpr std::pair<std::string_view, onnx::DataType> kElements[] = {
        {"int64", onnx::DataType::kInt64},
        {"double", onnx::DataType::kDouble},
        {"half", onnx::DataType::kFloat16},
        {"bool", onnx::DataType::kBool},
        {"text", onnx::DataType::kString}};
    const std::string_view name = info.name.substr(0, info.name.size() - type.size() - 1);
    for (const auto& [word, element] : kElements)
      if (type == word) info.type.elem_type = element, info.name = name;
    if (type != "sequence" && type != "optional") return onnx::TypeKind::kNone;
    info.name = name;
    return type == "sequence" ? onnx::TypeKind::kSequence : onnx::TypeKind::kOptional;
  }

  void shape(onnx::ValueInfo& info, std::string_view text) {
    std::vector<onnx::Dimension> dims;
    for (const auto part : split(text, ',')) {
      onnx::Dimension d;
      if (const std::int64_t v = number(part); v >= 0)
        d.value = v;
      else
        d.param = part;
      dims.push_back(d);
    }
    info.type.has_shape = true;
    info.type.shape = arena_.copy(dims);
  }

  onnx::Tensor constant(std::string_view word) {
    const onnx::ValueInfo info = value_info(word);
    onnx::Tensor t;
    t.name = info.name;
    t.type = onnx::DataType::kFloat;
    t.storage = onnx::Storage::kSeeded;
    t.recipe = {.seed = ++seed_, .mean = 0, .scale = 1};
    t.elements = 1;
    const auto dims = arena_.array<std::int64_t>(info.type.shape.size());
    for (std::size_t i = 0; i < dims.size(); ++i) t.elements *= dims[i] = info.type.shape[i].value;
    t.dims = dims;
    return t;
  }

  /// Parses "s[2]=1,2".
  template <typename T>
  onnx::Tensor elements(std::string_view word, onnx::DataType type) {
    const std::size_t equals = word.find('=');
    onnx::Tensor t = constant(word.substr(0, equals));
    std::vector<T> values;
    for (const auto part : split(word.substr(equals + 1), ',')) {
      if constexpr (std::is_floating_point_v<T>)
        values.push_back(std::strtof(std::string(part).c_str(), nullptr));
      else
        values.push_back(static_cast<T>(number(part)));
    }
    assert(static_cast<std::int64_t>(values.size()) == t.elements);
    t.type = type;
    t.storage = onnx::Storage::kInline;
    t.bytes = std::as_bytes(std::span(arena_.copy(values)));
    return t;
  }

  std::span<const Text> names(std::string_view list) {
    std::vector<Text> all;
    for (const std::string_view part : split(list, ',')) {
      const std::string_view name = trim(part);
      all.push_back(name == "_" ? "" : name);
    }
    return arena_.copy(all);
  }

  std::pair<std::string_view, std::string_view> qualified(std::string_view name) {
    const std::size_t dot = name.rfind('.');
    if (dot == name.npos) return {"", name};
    const std::string_view domain = name.substr(0, dot);
    if (std::find(domains_.begin(), domains_.end(), domain) == domains_.end())
      domains_.push_back(domain);
    return {domain, name.substr(dot + 1)};
  }

  static std::int64_t number(std::string_view text) {
    std::int64_t v = -1;
    std::from_chars(text.data(), text.data() + text.size(), v);
    return v;
  }
  static std::string_view trim(std::string_view s) {
    const std::size_t a = s.find_first_not_of(" \t"), b = s.find_last_not_of(" \t");
    return a == s.npos ? std::string_view() : s.substr(a, b - a + 1);
  }
  static std::vector<std::string_view> split(std::string_view s, char by) {
    std::vector<std::string_view> parts;
    while (!s.empty()) {
      const std::size_t end = s.find(by);
      if (const auto part = trim(s.substr(0, end)); !part.empty()) parts.push_back(part);
      if (end == s.npos) break;
      s.remove_prefix(end + 1);
    }
    return parts;
  }

  onnx::Document& doc_;
  Arena& arena_;
  std::vector<Section> sections_;
  std::vector<std::string_view> domains_;
  std::uint64_t seed_ = 0;
};

}  // namespace ridge::graph
