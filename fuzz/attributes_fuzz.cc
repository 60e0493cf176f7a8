// SPDX-License-Identifier: Apache-2.0
// Arbitrary bytes as the attributes of a node: read, written again, and used by the rules of the
// operator that the first two bytes select. The inputs of the node have given shapes.
#include <algorithm>
#include <memory>
#include <string>

#include "analysis/resolved.h"
#include "check.h"
#include "onnx/reader.h"
#include "onnx/testing.h"
#include "onnx/writer.h"
#include "ops/operator.h"

namespace {

namespace onnx = ridge::onnx;
using onnx::testing::field;
using onnx::testing::wire;
using ridge::fuzz::Bytes;
using ridge::fuzz::check;

constexpr const char* kAround = R"(
  input { name: "x" type { tensor_type { elem_type: 1 shape {
    dim { dim_param: "n" } dim { dim_value: 4 } dim { dim_value: 6 } dim { dim_value: 6 } } } } }
  initializer { name: "w" dims: 4 dims: 4 dims: 3 dims: 3 data_type: 1 }
  initializer { name: "i" dims: 2 data_type: 7 int64_data: [1 2] })";

/// Model with one node of that operator, at opset 21.
std::string model(const ridge::ops::Operator& op, const std::string& attributes) {
  const std::string node = wire(
                               "name: \"node\" input: \"x\" input: \"w\" input: \"i\" "
                               "output: \"y\" output: \"z\"",
                               "node") +
                           field(4, std::string(op.name)) + field(7, std::string(op.domain)) +
                           attributes;
  std::string opsets = wire("opset_import { version: 21 }");
  if (!op.domain.empty())
    opsets += field(8, field(1, std::string(op.domain)) + wire("version: 1", "opset"));
  return wire("ir_version: 10") + field(7, wire(kAround, "graph") + field(1, node)) + opsets;
}

/// Splits the input into attributes: a byte with the length, then that many bytes.
std::string split_attributes(std::string_view bytes) {
  std::string out;
  while (!bytes.empty()) {
    const std::size_t length = static_cast<unsigned char>(bytes[0]);
    bytes.remove_prefix(1);
    out += field(5, std::string(bytes.substr(0, length)));
    bytes.remove_prefix(std::min(length, bytes.size()));
  }
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Bytes in(std::string_view(reinterpret_cast<const char*>(data), size));
  const auto operators = ridge::ops::all();
  const unsigned number = in.next() << 8 | in.next();
  const ridge::ops::Operator& op = *operators[number % operators.size()];
  const std::string bytes = model(op, split_attributes(in.rest()));
  ridge::Result<onnx::Document> document =
      onnx::read_bytes(bytes, "fuzz", {.memory = std::int64_t{64} << 20});
  if (!document.ok()) {
    check(document.error().text().find("node #0 'node'") != std::string::npos);
    return 0;
  }
  if (const auto once = onnx::write_bytes(*document); once.ok()) {
    const auto again = onnx::read_bytes(*once, "written");
    check(again.ok() && onnx::write_bytes(*again).value() == *once);
  }
  auto built = ridge::graph::Model::build(
      std::make_shared<const onnx::Document>(std::move(document).value()),
      {.nodes = 100'000, .expanded = 10'000});
  if (!built.ok()) return 0;
  const auto shared = std::make_shared<const ridge::graph::Model>(std::move(built).value());
  ridge::analysis::Bindings bindings;
  for (const auto free :
       {ridge::analysis::FreeSizes::kSymbolic, ridge::analysis::FreeSizes::kAsk}) {
    bindings.free = free;
    const auto resolved = ridge::analysis::resolve(shared, bindings);
    if (resolved.ok()) check(resolved->totals().nodes > 0);
  }
  return 0;
}
