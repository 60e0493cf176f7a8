// SPDX-License-Identifier: Apache-2.0
// Files described by a transcript, exact to the byte, made without the writer under test.
//
//   make_file("m.onnx", "graph", "node { op_type: \"Relu\" }");
//
//   wire      a model in protobuf's text form (onnx/testing.h); <08 ff> are raw bytes
//   graph     a graph in that form, inside a model of IR version 8 and opset 17
//   sketch    the language of graph/sketch.h
//   text      the lines as they are
//   RECIPE N  a large file of crafted_models.h
//
// Throws std::invalid_argument for an invalid description.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace ridge::tests {

void make_file(const std::filesystem::path& path, std::string_view kind, const std::string& body);

}  // namespace ridge::tests
