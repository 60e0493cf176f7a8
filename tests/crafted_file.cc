// SPDX-License-Identifier: Apache-2.0
#include "crafted_file.h"

#include <stdexcept>

#include "crafted_models.h"
#include "graph/sketch.h"
#include "onnx/testing.h"
#include "onnx/writer.h"
#include "workplace.h"

namespace ridge::tests {

namespace fs = std::filesystem;

void make_file(const fs::path& path, std::string_view kind, const std::string& body) {
  if (kind == "text") return write_text(path, body);
  if (kind == "wire") return write_text(path, onnx::testing::wire(body));
  if (kind == "graph") {
    const std::string around = "ir_version: 8 graph { name: \"main\" " + body + " }";
    return write_text(path, onnx::testing::wire(around + "opset_import { version: 17 }"));
  }
  if (kind == "sketch") {
    const auto document = graph::Sketch::document(body);
    const Result<void> written = onnx::write_file(*document, path.string());
    if (!written.ok()) throw std::invalid_argument(written.error().text());
    return;
  }
  const std::size_t blank = kind.find(' ');
  const std::string_view number = blank == kind.npos ? "0" : kind.substr(blank + 1);
  make_large_file(path, kind.substr(0, blank), std::stoll(std::string(number)));
}

}  // namespace ridge::tests
