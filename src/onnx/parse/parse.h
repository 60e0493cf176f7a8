// SPDX-License-Identifier: Apache-2.0
// Decodes wire bytes to the structures of document.h. Private to src/onnx; the public interface is
// reader.h.
//
// One function per message of onnx.proto, in the file of its kind (graph.cc: graph, node, value).
// A message is scanned twice: first to count its repeated fields, so that each list is allocated
// once with its exact size, then to fill them. Nodes, the most frequent message, are scanned once.
// If a singular message field occurs more than once, the occurrences are merged as protobuf
// requires: by parsing the concatenated payloads.
//
// The first error is kept in the WireReader: afterwards functions return partial results, and the
// caller of model() checks once. Limits: recursion by Limits::depth, arena by Limits::memory; every
// count is derived from bytes that are present.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/arena.h"
#include "onnx/document.h"
#include "onnx/limits.h"
#include "onnx/value.h"
#include "onnx/wire.h"

namespace ridge::onnx {

class Parser {
 public:
  Parser(WireReader& in, Arena& arena, const Limits& limits)
      : in_(&in), arena_(arena), limits_(limits) {}

  /// Parses the whole source as a ModelProto. Check WireReader::failed() afterwards.
  Model model();
  /// Parses the whole source as a value; `kinds` as in read_value.
  Value value(std::span<const TypeKind> kinds);

 private:
  /// Repeated field `items` of a message: a list in the arena of the counted size, filled in order.
  template <typename T>
  class List {
   public:
    List(Parser& parser, std::size_t size, std::span<const T>& items)
        : parser_(parser), room_(parser.raw_array<T>(size)), items_(items) {}
    List(Parser& parser, const WireReader::Counts& counts, proto::Tag tag,
         std::span<const T>& items)
        : List(parser, counts[proto::number(tag)], items) {}
    void add(const T& item) {
      const std::size_t used = size();
      if (used == room_.size()) return parser_.changed_under_us();
      ::new (&room_[used]) T(item);
      items_ = room_.first(used + 1);
    }
    std::size_t size() const { return items_.size(); }

   private:
    Parser& parser_;
    std::span<T> room_;
    std::span<const T>& items_;
  };

  /// Items of a repeated field, collected on a stack shared by all messages being parsed. Used for
  /// numbers, packed or not, and for the parts of a node, which is scanned once.
  template <typename T>
  class Gathered {
   public:
    Gathered(Parser& parser, std::vector<T>& stack)
        : parser_(parser), stack_(stack), start_(stack.size()) {}
    Gathered(const Gathered&) = delete;
    Gathered& operator=(const Gathered&) = delete;
    ~Gathered() { stack_.resize(start_); }
    void add(const T& item) {
      if (stack_.size() == stack_.capacity() && !parser_.affordable(2 * stack_.size() * sizeof(T)))
        return;
      stack_.push_back(item);
    }
    std::size_t size() const { return stack_.size() - start_; }
    bool same(std::span<const T> items) const {
      return std::equal(stack_.begin() + static_cast<std::ptrdiff_t>(start_), stack_.end(),
                        items.begin(), items.end());
    }
    std::span<const T> items() {
      // Stack and copy coexist for a moment, which counts if there are many.
      constexpr std::size_t kMany = std::size_t{64} << 10;
      const std::size_t bytes = size() * sizeof(T);
      if (bytes > kMany && !parser_.affordable(2 * bytes)) return {};
      const std::span<T> kept = parser_.raw_array<T>(size());
      std::uninitialized_copy_n(stack_.begin() + static_cast<std::ptrdiff_t>(start_), kept.size(),
                                kept.begin());
      return kept;
    }

   private:
    Parser& parser_;
    std::vector<T>& stack_;
    std::size_t start_;
  };

  /// Data fields found in one TensorProto.
  struct TensorData {
    Field raw;                       ///< raw_data; value 0 if absent or empty
    std::uint32_t typed = 0;         ///< number of the non-empty typed field; 0 = none
    std::uint32_t second_typed = 0;  ///< number of a second typed field, an error
    Field first;                     ///< first field with number `typed`
    std::int64_t fields = 0;         ///< number of typed fields
    std::int64_t bytes = 0;          ///< total payload of the typed fields
    bool external = false;
    std::string_view location, offset, length, checksum;
  };

  Graph graph();
  Node node();
  Function function();
  OperatorSet operator_set();
  Property property();
  Attribute attribute();
  /// Returns false if the field is not a scalar; otherwise sets `given` to its type.
  bool attribute_scalar(Attribute& attribute, const Field& field, AttributeType& given);
  void attribute_message(Attribute& attribute, const Field& field, WireReader::Counts& counts,
                         List<Tensor>& tensors, List<Graph>& graphs);
  ValueInfo value_info();
  TypeInfo type();
  DataType data_type(const Field& field);
  void tensor_type(TypeInfo& type);
  void element_type(TypeInfo& type);
  void map_type(TypeInfo& type);
  std::span<const Dimension> shape();
  Dimension dimension();
  Tensor tensor();
  SparseTensor sparse_tensor();

  void check_model(const Model& model);
  void check_attribute(const Attribute& attribute);
  void check_sparse(const SparseTensor& sparse);

  // Processing of a tensor's elements after the whole message has been scanned (elements.cc).
  void tensor_data(TensorData& data, const Field& field);
  void external_entry(TensorData& data);
  bool check_shape(Tensor& tensor);
  void settle(Tensor& tensor, const TensorData& data);
  void settle_external(Tensor& tensor, const TensorData& data);
  bool stays_in_file(const Tensor& tensor, std::int64_t bytes) const;
  void settle_raw(Tensor& tensor, const TensorData& data);
  void settle_strings(Tensor& tensor, const TensorData& data);
  void settle_fixed(Tensor& tensor, const TensorData& data);
  void settle_varints(Tensor& tensor, const TensorData& data);
  void fail_size(const Tensor& tensor, const TensorData& data, std::string_view holds,
                 std::string_view needs);

  /// Reads and copies a name of at most kLongestName bytes. A recently seen name is not copied
  /// again (most names are an operator type, an attribute name, or an output of a nearby node), nor
  /// is a prefix of the name copied last.
  std::string_view name(const Field& field);
  /// Reads an operator domain; "ai.onnx" becomes "".
  std::string_view domain(const Field& field);
  /// Reads and copies arbitrary bytes.
  std::string_view text(const Field& field);
  void packed_integers(Gathered<std::int64_t>& numbers, const Field& field);
  void packed_floats(Gathered<float>& numbers, const Field& field);

  /// Parses one element of a repeated message field. On failure adds "<what> #<index> '<name>'" to
  /// the location in the error.
  template <typename Items, typename Parse>
  void item(Items& list, const Field& field, const char* type, const char* what,
            proto::Tag name_tag, Parse parse) {
    const Message message(*in_, field, type);
    list.add(parse());
    if (in_->failed()) [[unlikely]]
      blame(what, list.size(), field, name_tag);
  }

  /// Parses a singular message field. `counts` belongs to the enclosing message.
  template <typename Parse>
  void singular(WireReader::Counts& counts, const Field& field, const char* type, Parse parse) {
    std::uint32_t& occurrences = counts[proto::number(field.tag)];
    if (occurrences > 1) {
      merged(field, occurrences, parse);
    } else if (occurrences == 1) {
      const Message message(*in_, field, type);
      parse();
    }
    occurrences = 0;  // a merged field includes all occurrences
  }

  template <typename Parse>
  void merged(const Field& field, std::uint32_t occurrences, Parse parse) {
    WireReader concatenated(gather(field, occurrences), "a message given in several parts");
    WireReader* const outer = std::exchange(in_, &concatenated);
    if (!outer->failed()) parse();
    in_ = outer;
    if (concatenated.failed()) outer->fail(concatenated.take_error());
  }
  /// Concatenates the payloads of all fields with this tag, from `first` to the end of the current
  /// message.
  std::string_view gather(const Field& first, std::uint32_t occurrences);

  void node_item(List<Node>& list, const Field& field) {
    item(list, field, "NodeProto", "node", proto::node::kName, [this] { return node(); });
  }
  template <typename Items>
  void attribute_item(Items& list, const Field& field) {
    item(list, field, "AttributeProto", "attribute", proto::attribute::kName,
         [this] { return attribute(); });
  }
  void value_item(List<ValueInfo>& list, const Field& field, const char* what) {
    item(list, field, "ValueInfoProto", what, proto::value_info::kName,
         [this] { return value_info(); });
  }
  void opset_item(List<OperatorSet>& list, const Field& field) {
    item(list, field, "OperatorSetIdProto", "opset_import", proto::opset::kDomain,
         [this] { return operator_set(); });
  }
  template <typename Items>
  void property_item(Items& list, const Field& field) {
    item(list, field, "StringStringEntryProto", "metadata_props", proto::entry::kKey,
         [this] { return property(); });
  }

  void blame(std::string_view what, std::size_t size, const Field& message, proto::Tag name_tag);
  void fail(Error error) { in_->fail(std::move(error)); }
  void changed_under_us();

  /// One level of recursion; fails beyond the limit.
  class Depth {
   public:
    Depth(Parser& parser, const char* what);
    Depth(const Depth&) = delete;
    Depth& operator=(const Depth&) = delete;
    ~Depth() { --parser_.depth_; }

   private:
    Parser& parser_;
  };

  /// Returns whether `bytes` more fit the memory budget; fails if not.
  bool affordable(std::size_t bytes) {
    const auto budget = static_cast<std::size_t>(std::max<std::int64_t>(limits_.memory, 0));
    const std::size_t used = arena_.bytes_used() - stored_;
    if (used <= budget && bytes <= budget - used) [[likely]]
      return true;
    fail_budget(bytes, budget);
    return false;
  }
  void fail_budget(std::size_t bytes, std::size_t budget);
  /// Zero-filled bytes; `in_file` of them are not charged to the budget.
  std::span<std::byte> element_array(std::size_t size, std::int64_t in_file);
  /// Uninitialized array: pages of a list that a hostile count makes large are not touched before
  /// use.
  template <typename T>
  std::span<T> raw_array(std::size_t size) {
    static_assert(std::is_trivially_destructible_v<T>);
    if (size == 0 || size > SIZE_MAX / sizeof(T) || !affordable(size * sizeof(T))) return {};
    // Elements of a tensor may be accessed as wider types.
    constexpr std::size_t kAlignment = std::is_same_v<T, std::byte> ? 8 : alignof(T);
    return {static_cast<T*>(arena_.allocate(size * sizeof(T), kAlignment)), size};
  }
  template <typename T>
  std::span<T> array(std::size_t size) {
    const std::span<T> items = raw_array<T>(size);
    std::uninitialized_value_construct(items.begin(), items.end());
    return items;
  }
  template <typename T>
  const T* keep(const T& value) {
    const std::span<T> one = raw_array<T>(1);
    return one.empty() ? nullptr : ::new (one.data()) T(value);
  }

  std::vector<StatedChecksum> checksums_;  ///< checksums of the tensors read until now
  WireReader* in_;
  Arena& arena_;
  const Limits& limits_;
  int depth_ = 0;
  std::array<std::string_view, 512> recent_;  ///< direct-mapped cache of names
  std::string_view last_name_;                ///< name copied last
  std::span<const std::int64_t> last_dims_;   ///< tensor dims copied last
  std::size_t stored_ = 0;  ///< arena bytes of elements that occupy as much in the file
  std::vector<std::int64_t> int_stack_;
  std::vector<float> float_stack_;
  std::vector<Text> input_stack_, output_stack_;
  std::vector<Attribute> attribute_stack_;
  std::vector<Property> property_stack_;
};

/// Text of a shape, such as "[4, 3]".
std::string shape_text(std::span<const std::int64_t> dims);

}  // namespace ridge::onnx
