// SPDX-License-Identifier: Apache-2.0
#include "program.h"

#include <algorithm>
#include <cstring>

#include "cli/app.h"

namespace ridge::tests {

using onnx::testing::field;
using onnx::testing::wire;

namespace {

constexpr const char* kModel = R"(
  ir_version: 8 producer_name: "failure"
  graph {
    name: "main"
    input { name: "x" type { tensor_type { elem_type: 1 shape {
      dim { dim_param: "batch" } dim { dim_value: 8 } } } } }
    initializer { name: "s" dims: 2 data_type: 7 data_location: 1
      external_data { key: "location" value: "s.bin" } }
    initializer { name: "trips" data_type: 7 int64_data: [3] }
    node { op_type: "Reshape" name: "/a/<r>" input: "x" input: "s" output: "r" }
    node { op_type: "MatMul" name: "/a/mm" input: "r" input: "w" output: "m" }
    node { op_type: "Act" domain: "local" name: "/b/act" input: "m" output: "a"
      attribute { name: "k" i: 2 type: 2 } }
    node { op_type: "Loop" name: "loop" input: "trips" input: "" input: "a" output: "l"
      attribute { name: "body" type: 5 g { name: "body"
        node { op_type: "Identity" input: "keep" output: "keep2" }
        node { op_type: "Abs" name: "\x1babs" input: "v" output: "v2" }
        input { name: "i" } input { name: "keep" } input { name: "v" }
        output { name: "keep2" } output { name: "v2" } } } }
    node { op_type: "Nobody" domain: "com.acme" input: "l" output: "y" }
    output { name: "y" }
  }
  functions { name: "Act" domain: "local" input: "x" output: "y" attribute: "k"
    node { op_type: "Softmax" input: "x" output: "t"
      attribute { name: "axis" ref_attr_name: "k2" type: 2 } }
    node { op_type: "Relu" input: "t" output: "y" }
    opset_import { version: 17 } }
  opset_import { version: 17 } opset_import { domain: "local" version: 1 }
  opset_import { domain: "com.acme" version: 1 })";

/// Weight of 2 KiB inside the file.
std::string weight() {
  return field(5, wire("name: \"w\" dims: 8 dims: 64 data_type: 1", "tensor") +
                      field(9, std::string(2048, '\1')));
}

}  // namespace

void FixedSink::write(std::string_view text) {
  const std::size_t taken = std::min(text.size(), buffer_.size() - size_);
  std::memcpy(buffer_.data() + size_, text.data(), taken);
  size_ += taken;
}

Program::Program() {
  using namespace std::string_literals;
  model_ = folder_.make("m.onnx", wire(kModel) + field(7, weight()));
  folder_.make("s.bin", "\xff\xff\xff\xff\xff\xff\xff\xff\x08\0\0\0\0\0\0\0"s);
}

void Program::run(const std::vector<std::string>& arguments, Ran& ran) const {
  cli::Console console{ran.out, ran.err};
  ran.status = cli::run_program(arguments, cli::verbs(), console);
}

}  // namespace ridge::tests
