// SPDX-License-Identifier: Apache-2.0
// Fields of a model's file that a Document does not hold: doc strings, domain and version of the
// model, annotations, training, fields of later versions of ONNX. A model that is written from an
// edited Document keeps them. Private to src/onnx.
//
//   const KeptFields kept = TRY(KeptFields::of(original));
//   if (const KeptFields::Node* node = kept.node(written)) copy node->attributes, node->rest
//
// A node is the file's if its name, its operator and an output are (or the name and the operator
// alone, if no other node has that name). Ownership: borrows the document, whose file it reads.
// Cost: one pass over the file without its weights; 16 bytes for each field. Errors: as
// reading the file. Thread rule: immutable once made.
#pragma once

#include <map>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "onnx/document.h"

namespace ridge::onnx {

class WireReader;
struct Field;

class KeptFields {
 public:
  /// Bytes of the file: fields with their tags.
  struct Range {
    std::int64_t at = 0, length = 0;
  };
  using Ranges = std::vector<Range>;

  struct Node {
    Ranges attributes;  ///< as in the file; empty where tensors inside lie in other files
    Ranges rest;
  };
  struct Value {
    Ranges whole, rest;  ///< all fields; those that a ValueInfo does not hold
    const ValueInfo* info = nullptr;
  };

  /// Nothing is kept of a document without a file.
  static Result<KeptFields> of(const Document& document);

  const File& file() const { return *document_->file; }
  const Ranges& model() const { return model_; }
  const Ranges& functions() const { return functions_; }
  /// Fields of the main graph; annotations only of tensors for which `has` is true.
  template <typename Has>
  Ranges graph(const Has& has) const {
    Ranges out = graph_;
    for (const auto& [tensor, range] : annotations_)
      if (has(tensor)) out.push_back(range);
    return out;
  }

  /// nullptr: not in the file. Attributes are the file's only if `node` has the same ones.
  const Node* node(const onnx::Node& node, bool& same_attributes) const;
  const Value* value(const ValueInfo& info) const;
  const Ranges* initializer(std::string_view name) const;

 private:
  explicit KeptFields(const Document& document) : document_(&document) {}
  void read_graph(WireReader& in);
  void read_node(WireReader& in, const Field& whole);
  void read_value(WireReader& in, const Field& whole, std::span<const ValueInfo> infos,
                  std::size_t index);
  void index_nodes();

  const Document* document_;
  Ranges model_, graph_, functions_;
  std::map<std::string, Range> annotations_;  // by tensor
  std::vector<Node> nodes_;                   // in file order
  std::map<std::string_view, std::size_t> by_output_;
  std::map<std::string_view, std::size_t> by_name_;  // names that occur once
  std::multimap<std::string_view, Value> values_;    // inputs, outputs and inner ones, by name
  std::map<std::string_view, Ranges> initializers_;
  std::size_t inputs_ = 0, outputs_ = 0, inner_ = 0, tensors_ = 0;  // read so far
};

}  // namespace ridge::onnx
