// SPDX-License-Identifier: Apache-2.0
// Test helpers for this folder and those above it: models written as text (graph/sketch.h) are
// resolved, and results are printed as text.
//
//   const Resolved r = resolved("graph main\n input x[2,3]\n constant w[3,4]\n mm: MatMul(x, w) ->
//   y\n output y");
//   shown(r, "mm")      == "float32[2,4] macs 24 bytes 72+32 params 12"
//   resolve_error(...)  == the whole message
#pragma once

#include <fmt/format.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

#include "analysis/resolved.h"
#include "graph/sketch.h"

namespace ridge::analysis::testing {

/// Two modules, the first with two layers, and an unknown operator.
inline constexpr std::string_view kLayered = R"(
  graph main
    input x[2,4]
    constant w1[4,8] w2[8,4]
    /enc/enc.0/fc/MatMul: MatMul(x, w1) -> a
    /enc/enc.0/act/Relu: Relu(a) -> b
    /enc/enc.1/fc/MatMul: MatMul(b, w2) -> c
    /head/act/Relu: Relu(c) -> d
    /head/Odd: com.acme.Odd(d) -> y
    output y
)";

/// Loop of three trips that carries x as h. `body` is the text after the inputs i, c (the
/// condition) and h.
inline std::string looped(std::string_view body) {
  return fmt::format(R"(
    graph main
      input x[2,4]
      integers m=3
      loop: Loop(m, _, x) {{body=graph:body}} -> last
      output last
    graph body
      input i[] c[] h
{})",
                     body);
}

inline std::shared_ptr<const graph::Model> model(std::string_view text) {
  Result<graph::Model> built = graph::Model::build(graph::Sketch::document(text));
  if (!built.ok()) throw std::runtime_error(built.error().text());
  return std::make_shared<const graph::Model>(std::move(built).value());
}

inline Resolved resolved(std::string_view text, const Bindings& bindings = {},
                         const std::map<std::string, std::int64_t>& defaults = {}) {
  Result<Resolved> r = resolve(model(text), bindings, defaults);
  if (!r.ok()) throw std::runtime_error(r.error().text());
  return std::move(r).value();
}

/// Error message of a model that must not resolve; "resolved" if it does.
inline std::string resolve_error(std::string_view text, const Bindings& bindings = {}) {
  const Result<Resolved> r = resolve(model(text), bindings);
  return r.ok() ? "resolved" : r.error().text();
}

inline graph::NodeId node(const Resolved& r, std::string_view name) {
  for (graph::NodeId n = 0; n < r.model().nodes().size(); ++n)
    if (r.model().node(n).name == name) return n;
  throw std::runtime_error(fmt::format("no node '{}'", name));
}

inline graph::ValueId value(const Resolved& r, std::string_view name) {
  for (graph::ValueId v = 0; v < r.model().values().size(); ++v)
    if (r.model().value(v).name == name) return v;
  throw std::runtime_error(fmt::format("no value '{}'", name));
}

inline std::string type_text(const Resolved& r, const ops::Type& type) {
  if (!type.shape.ranked()) return fmt::format("{}[*]", onnx::name(type.dtype));
  std::string dims;
  for (const ops::Dim& d : type.shape.span()) dims += (dims.empty() ? "" : ",") + r.dims().text(d);
  return fmt::format("{}[{}]", onnx::name(type.dtype), dims);
}

inline std::string type_of(const Resolved& r, std::string_view name) {
  return type_text(r, r.type(value(r, name)));
}

/// Text such as "float32[2,4] macs 24 bytes 72+32 params 12 x3 (why)": counts of 0 are omitted, x3
/// is the repeat.
inline std::string shown(const Resolved& r, std::string_view name) {
  const graph::Node& n = r.model().node(node(r, name));
  const NodeCounts& c = r.counts(node(r, name));
  std::string out;
  for (const graph::ValueId v : n.outputs)
    if (v != graph::kNone) out += (out.empty() ? "" : " ") + type_text(r, r.type(v));
  const auto figure = [&](const char* what, ops::Dim d) {
    if (!d.is(0)) out += fmt::format(" {} {}", what, r.dims().text(d));
  };
  figure("macs", c.macs);
  figure("flops", c.flops);
  figure("special", c.special);
  figure("int_ops", c.int_ops);
  if (!c.bytes_read.is(0) || !c.bytes_written.is(0))
    out += fmt::format(" bytes {}+{}", r.dims().text(c.bytes_read), r.dims().text(c.bytes_written));
  if (c.params != 0) out += fmt::format(" params {}", c.params);
  const ops::Dim repeat = r.repeat(node(r, name));
  if (!repeat.is(1)) out += fmt::format(" x{}", r.dims().text(repeat));
  if (c.status == Status::kUnknown) out += " unknown";
  if (!c.reason.empty()) out += fmt::format(" ({})", c.reason.view());
  return out;
}

}  // namespace ridge::analysis::testing
