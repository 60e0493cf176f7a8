// SPDX-License-Identifier: Apache-2.0
// Test helper: converts protobuf's text format to ONNX bytes, independently of the reader and
// writer under test.
//
//   const std::string bytes = wire(R"(
//     ir_version: 8
//     graph { name: "main" node { op_type: "Relu" input: "x" output: "y" } }
//     opset_import { version: 17 })");
//
// Fields are named as in onnx.proto, or given by number if a test needs an unknown one (99: 5).
// Values: integers, 1.5f (32 bits), 1.5 (64 bits), "text" with \xNN, { message }, [packed varints],
// and <hex> for arbitrary raw bytes in place of a field. Malformed text throws.
#pragma once

#include <stdlib.h>

#include <bit>
#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace ridge::onnx::testing {

struct FieldName {
  std::uint32_t number = 0;
  const char* message = "";  ///< message type of a message field
};

/// Fields by "message.field".
inline const std::map<std::string, FieldName> kFields = {
    {"model.ir_version", {1}},
    {"model.producer_name", {2}},
    {"model.doc_string", {6}},
    {"model.graph", {7, "graph"}},
    {"model.opset_import", {8, "opset"}},
    {"model.metadata_props", {14, "entry"}},
    {"model.functions", {25, "function"}},
    {"opset.domain", {1}},
    {"opset.version", {2}},
    {"entry.key", {1}},
    {"entry.value", {2}},
    {"graph.node", {1, "node"}},
    {"graph.name", {2}},
    {"graph.initializer", {5, "tensor"}},
    {"graph.doc_string", {10}},
    {"graph.input", {11, "value"}},
    {"graph.output", {12, "value"}},
    {"graph.value_info", {13, "value"}},
    {"graph.sparse_initializer", {15, "sparse"}},
    {"node.input", {1}},
    {"node.output", {2}},
    {"node.name", {3}},
    {"node.op_type", {4}},
    {"node.attribute", {5, "attribute"}},
    {"node.domain", {7}},
    {"node.overload", {8}},
    {"node.metadata_props", {9, "entry"}},
    {"attribute.name", {1}},
    {"attribute.f", {2}},
    {"attribute.i", {3}},
    {"attribute.s", {4}},
    {"attribute.t", {5, "tensor"}},
    {"attribute.g", {6, "graph"}},
    {"attribute.floats", {7}},
    {"attribute.ints", {8}},
    {"attribute.strings", {9}},
    {"attribute.tensors", {10, "tensor"}},
    {"attribute.graphs", {11, "graph"}},
    {"attribute.tp", {14, "type"}},
    {"attribute.type", {20}},
    {"attribute.ref_attr_name", {21}},
    {"attribute.sparse_tensor", {22, "sparse"}},
    {"attribute.sparse_tensors", {23, "sparse"}},
    {"tensor.dims", {1}},
    {"tensor.data_type", {2}},
    {"tensor.float_data", {4}},
    {"tensor.int32_data", {5}},
    {"tensor.string_data", {6}},
    {"tensor.int64_data", {7}},
    {"tensor.name", {8}},
    {"tensor.raw_data", {9}},
    {"tensor.double_data", {10}},
    {"tensor.uint64_data", {11}},
    {"tensor.external_data", {13, "entry"}},
    {"tensor.data_location", {14}},
    {"sparse.values", {1, "tensor"}},
    {"sparse.indices", {2, "tensor"}},
    {"sparse.dims", {3}},
    {"value.name", {1}},
    {"value.type", {2, "type"}},
    {"type.tensor_type", {1, "tensor_type"}},
    {"type.sequence_type", {4, "element"}},
    {"type.map_type", {5, "map"}},
    {"type.sparse_tensor_type", {8, "tensor_type"}},
    {"type.optional_type", {9, "element"}},
    {"tensor_type.elem_type", {1}},
    {"tensor_type.shape", {2, "shape"}},
    {"element.elem_type", {1, "type"}},
    {"map.key_type", {1}},
    {"map.value_type", {2, "type"}},
    {"shape.dim", {1, "dim"}},
    {"dim.dim_value", {1}},
    {"dim.dim_param", {2}},
    {"function.name", {1}},
    {"function.input", {4}},
    {"function.output", {5}},
    {"function.attribute", {6}},
    {"function.node", {7, "node"}},
    {"function.opset_import", {9, "opset"}},
    {"function.domain", {10}},
    {"function.attribute_proto", {11, "attribute"}},
    {"function.value_info", {12, "value"}},
    {"function.overload", {13}},
};

inline FieldName field_name(const std::string& message, const std::string& field) {
  if (std::isdigit(static_cast<unsigned char>(field[0]))) {
    return {static_cast<std::uint32_t>(std::stoul(field))};
  }
  const auto found = kFields.find(message + "." + field);
  if (found == kFields.end()) throw std::invalid_argument(message + " has no field " + field);
  return found->second;
}

inline std::string varint(std::uint64_t value) {
  std::string out;
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
  return out + static_cast<char>(value);
}

/// Encodes a length-delimited field.
inline std::string field(std::uint32_t number, const std::string& payload) {
  return varint(number << 3 | 2) + varint(payload.size()) + payload;
}

class WireText {
 public:
  explicit WireText(std::string_view text) : text_(text) {}

  /// Encodes fields up to `end` ('\0': end of the text).
  std::string fields(const std::string& message, char end = '\0') {
    std::string out;
    while (!take(end)) {
      if (take('<')) {
        out += hex();
        continue;
      }
      const std::string name = word();
      const FieldName known = field_name(message, name);
      take(':');
      out += value(known);
    }
    return out;
  }

 private:
  std::string value(const FieldName& known) {
    if (take('{')) return field(known.number, fields(known.message, '}'));
    if (take('"')) return field(known.number, quoted());
    if (take('[')) {
      std::string packed;
      while (!take(']')) packed += varint(static_cast<std::uint64_t>(std::stoll(word())));
      return field(known.number, packed);
    }
    const std::string number = word();
    if (number.ends_with('f')) {
      const auto bits = std::bit_cast<std::uint32_t>(std::stof(number));
      return varint(known.number << 3 | 5) + little(bits, 4);
    }
    if (number.find('.') != std::string::npos) {
      return varint(known.number << 3 | 1) +
             little(std::bit_cast<std::uint64_t>(std::stod(number)), 8);
    }
    return varint(known.number << 3) + varint(static_cast<std::uint64_t>(std::stoll(number)));
  }

  static std::string little(std::uint64_t bits, int bytes) {
    std::string out;
    for (int i = 0; i < bytes; ++i) out += static_cast<char>(bits >> (8 * i));
    return out;
  }

  void skip_space() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }

  bool take(char wanted) {
    skip_space();
    if (at_ == text_.size()) {
      if (wanted == '\0') return true;
      if (wanted == '}' || wanted == ']') throw std::invalid_argument("the text ends too early");
      return false;
    }
    if (text_[at_] != wanted) return false;
    ++at_;
    return true;
  }

  std::string word() {
    skip_space();
    const std::size_t start = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) ||
                                  text_[at_] == '_' || text_[at_] == '-' || text_[at_] == '.')) {
      ++at_;
    }
    if (start == at_)
      throw std::invalid_argument("a word is missing: " + std::string(text_.substr(at_)));
    return std::string(text_.substr(start, at_ - start));
  }

  std::string hex() {
    std::string out;
    while (!take('>')) out += static_cast<char>(std::stoi(word(), nullptr, 16));
    return out;
  }

  std::string quoted() {
    std::string out;
    while (text_.at(at_) != '"') {
      if (text_[at_] == '\\' && text_.at(at_ + 1) == 'x') {
        out += static_cast<char>(std::stoi(std::string(text_.substr(at_ + 2, 2)), nullptr, 16));
        at_ += 4;
      } else {
        out += text_[at_++];
      }
    }
    ++at_;
    return out;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

/// Encodes a message, by default a ModelProto.
inline std::string wire(std::string_view text, const std::string& message = "model") {
  return WireText(text).fields(message);
}

/// Temporary folder, deleted with its content on destruction.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "ridge-onnx-XXXXXX").string();
    path_ = ::mkdtemp(pattern.data());
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }

  std::string path(const std::string& name) const { return (path_ / name).string(); }
  std::string make(const std::string& name, std::string_view content) const {
    std::ofstream(path(name), std::ios::binary) << content;
    return path(name);
  }

 private:
  std::filesystem::path path_;
};

}  // namespace ridge::onnx::testing
