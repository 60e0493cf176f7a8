// SPDX-License-Identifier: Apache-2.0
#include "onnx/annotate.h"

#include <fmt/format.h>

#include <algorithm>
#include <protozero/pbf_writer.hpp>
#include <protozero/varint.hpp>
#include <set>

#include "base/text.h"
#include "onnx/wire.h"

namespace ridge::onnx {
namespace {

constexpr std::int64_t kLargestAnnotated = 0x7fffffff;  // limit of protobuf's own readers
constexpr std::size_t kCopyWindow = std::size_t{1} << 20;

/// Replaces `drop` bytes of the file at `at` by `insert`.
struct Edit {
  std::int64_t at = 0, drop = 0;
  std::string insert;
  std::int64_t growth() const { return std::ssize(insert) - drop; }
};

std::string field_head(proto::Tag tag, std::int64_t length) {
  std::string out;
  protozero::add_varint_to_buffer(&out, tag);
  protozero::add_varint_to_buffer(&out, static_cast<std::uint64_t>(length));
  return out;
}

std::string entries(const std::vector<Note>& notes) {
  std::string out;
  for (const Note& note : notes) {
    protozero::pbf_writer node(out);
    protozero::pbf_writer entry(node, proto::number(proto::node::kMetadata));
    entry.add_string(proto::number(proto::entry::kKey), valid_utf8(note.key));
    entry.add_string(proto::number(proto::entry::kValue), valid_utf8(note.value));
  }
  return out;
}

class Splicer {
 public:
  Splicer(const Document& document, const Notes& notes)
      : document_(document), notes_(notes), in_(*document.file) {}

  Result<std::vector<Edit>> edits() {
    Field field;
    while (in_.next(field)) {
      if (field.tag == proto::model::kIrVersion) ir_version(field);
      if (field.tag == proto::model::kGraph) nested(field, "GraphProto", [&] { graph(); });
    }
    if (in_.failed()) return in_.take_error();
    if (raised_ && document_.model.opsets.empty()) import_first_opset();
    if (node_ < document_.model.graph.nodes.size())
      return input_error("RIDGE-ONNX-0411", "the file changed while it was read")
          .hint("run it again when nothing writes the file");
    return std::move(edits_);
  }

 private:
  /// Edits inside a message change the length in its header; adds the edit of the header.
  ///
  /// Example: a 300-byte NodeProto gets a note of 40 bytes. The header edit, reserved at `head`,
  /// replaces the tag and length 300 by the tag and 340. The enclosing GraphProto then sums the
  /// growth of all edits inside it, the header's growth included.
  template <typename Inside>
  void nested(const Field field, const char* type, Inside inside) {
    const std::size_t head = edits_.size();
    edits_.push_back({field.at, field.payload - field.at, ""});
    {
      const Message message(in_, field, type);
      inside();
    }
    std::int64_t length = field.length();
    for (std::size_t i = head + 1; i < edits_.size(); ++i) length += edits_[i].growth();
    if (edits_.size() == head + 1)
      edits_.pop_back();
    else
      edits_[head].insert = field_head(field.tag, length);
  }

  void graph() {
    Field field;
    while (in_.next(field)) {
      if (field.tag != proto::graph::kNode) continue;
      const std::size_t index = node_++;
      if (index >= notes_.size() || notes_[index].empty()) continue;
      nested(field, "NodeProto", [&] { node(field, notes_[index]); });
    }
  }

  void node(const Field& whole, const std::vector<Note>& notes) {
    Field field;
    while (in_.next(field)) {
      if (field.tag != proto::node::kMetadata) continue;
      // Notes of an earlier run go, so that annotating twice leaves one set; entries of others
      // stay.
      const std::int64_t end = field.payload + field.length();
      const std::string key = in_.find_text(field.payload, end, proto::entry::kKey);
      if (key.starts_with(kNotePrefix)) edits_.push_back({field.at, end - field.at, ""});
    }
    edits_.push_back({whole.payload + whole.length(), 0, entries(notes)});
  }

  void ir_version(const Field& field) {
    if (static_cast<std::int64_t>(field.value) >= kNotedIrVersion) return;
    raised_ = true;
    const std::int64_t end = in_.position();
    edits_.push_back({field.at, end - field.at, field_head(field.tag, kNotedIrVersion)});
  }

  /// Before IR version 3, models imported version 1 of the default operator set implicitly.
  void import_first_opset() {
    std::string set;
    protozero::pbf_writer model(set);
    protozero::pbf_writer import(model, proto::number(proto::model::kOpsetImport));
    import.add_int64(proto::number(proto::opset::kVersion), 1);
    import.commit();
    edits_.push_back({document_.file->size(), 0, set});
  }

  const Document& document_;
  const Notes& notes_;
  WireReader in_;
  std::vector<Edit> edits_;  ///< by position
  std::size_t node_ = 0;     ///< nodes visited
  bool raised_ = false;
};

Result<void> copy_range(const File& file, std::int64_t from, std::int64_t to, std::string& window,
                        Sink& sink) {
  while (from < to) {
    window.resize(static_cast<std::size_t>(std::min<std::int64_t>(to - from, kCopyWindow)));
    TRY(file.read_at(from, std::as_writable_bytes(std::span(window))));
    sink.write(window);
    from += std::ssize(window);
  }
  return {};
}

class Locations {
 public:
  void graph(const Graph& graph) {
    for (const Tensor& t : graph.initializers) tensor(t);
    for (const SparseTensor& s : graph.sparse_initializers) sparse(s);
    for (const Node& n : graph.nodes) node(n);
  }
  void node(const Node& node) {
    for (const Attribute& a : node.attributes) {
      if (a.t != nullptr) tensor(*a.t);
      if (a.sparse != nullptr) sparse(*a.sparse);
      for (const Tensor& t : a.tensors) tensor(t);
      if (a.g != nullptr) graph(*a.g);
      for (const Graph& g : a.graphs) graph(g);
    }
  }
  std::vector<std::string_view> take() const { return {found_.begin(), found_.end()}; }

 private:
  void tensor(const Tensor& tensor) {
    if (tensor.storage == Storage::kFile && tensor.external) found_.insert(tensor.location);
  }
  void sparse(const SparseTensor& sparse) {
    if (sparse.values != nullptr) tensor(*sparse.values);
    if (sparse.indices != nullptr) tensor(*sparse.indices);
  }
  std::set<std::string_view> found_;
};

}  // namespace

Result<void> annotate(const Document& document, const Notes& notes, Sink& sink) {
  if (document.file == nullptr) return bug("there is no file to annotate", "onnx::annotate");
  const std::vector<Edit> edits = TRY(Splicer(document, notes).edits());
  const File& file = *document.file;
  std::int64_t size = file.size();
  for (const Edit& edit : edits) size += edit.growth();
  if (size > kLargestAnnotated)
    return input_error("RIDGE-ONNX-0410",
                       fmt::format("the annotated model would take {} bytes; protobuf readers stop "
                                   "at 2 GiB",
                                   size))
        .hint("write the model with external data first");
  std::string window;
  std::int64_t at = 0;
  for (const Edit& edit : edits) {
    TRY(copy_range(file, at, edit.at, window, sink));
    sink.write(edit.insert);
    at = edit.at + edit.drop;
  }
  return copy_range(file, at, file.size(), window, sink);
}

std::vector<std::string_view> external_locations(const Model& model) {
  Locations found;
  found.graph(model.graph);
  for (const Function& f : model.functions)
    for (const Node& n : f.nodes) found.node(n);
  return found.take();
}

}  // namespace ridge::onnx
