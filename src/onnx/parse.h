// From wire bytes to the structures of document.h. Private to src/onnx: reader.h is the way in.
//
// One function per message of onnx.proto; parse_<message>.cc holds each. A message is scanned
// twice: once to count its repeated fields, so that each list is allocated once and exactly, then
// to fill them. Nodes, of which there are most, are scanned once. A singular message field that
// occurs more than once is merged by protobuf's rule: parsing the concatenated payloads.
//
// Failure is sticky in the WireReader: after a failure functions return whatever they have, and the
// caller of model() looks once. Bounds: recursion by Limits::depth, arena by Limits::memory; every
// count comes from bytes that are really there.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/arena.h"
#include "onnx/document.h"
#include "onnx/reader.h"
#include "onnx/value.h"
#include "onnx/wire.h"

namespace ridge::onnx {

class Parser {
 public:
  Parser(WireReader& in, Arena& arena, const Limits& limits)
      : in_(&in), arena_(arena), limits_(limits) {}

  /// The whole source as a ModelProto. Look at WireReader::failed() afterwards.
  Model model();
  /// The whole source as the message of a value; `kinds` as of read_value.
  Value value(std::span<const TypeKind> kinds);

 private:
  /// A list in the arena, filled in order up to the size that was counted.
  template <typename T>
  class List {
   public:
    List(Parser& parser, std::size_t size) : parser_(parser), items_(parser.raw_array<T>(size)) {}
    void add(const T& item) {
      if (used_ == items_.size()) return parser_.changed_under_us();
      ::new (&items_[used_++]) T(item);
    }
    std::size_t size() const { return used_; }
    std::span<const T> items() const { return items_.first(used_); }

   private:
    Parser& parser_;
    std::span<T> items_;
    std::size_t used_ = 0;
  };

  /// Items of a repeated field as they come, on a stack shared by all messages under way: for
  /// numbers, however they are packed, and for the parts of a node, which is scanned once.
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
      // For a moment they are there twice, which counts where they are many.
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

  /// What the fields of one TensorProto said about its elements.
  struct TensorData {
    Field raw;                       ///< raw_data; value 0 where there is none or it is empty
    std::uint32_t typed = 0;         ///< number of the typed field that holds something; 0 = none
    std::uint32_t second_typed = 0;  ///< another one
    Field first;                     ///< the first field of that number
    std::int64_t fields = 0;         ///< how many fields of that number
    std::int64_t bytes = 0;          ///< payload of all of them together
    bool external = false;
    std::string_view location, offset, length;
  };

  Graph graph();
  Node node();
  Function function();
  OperatorSet operator_set();
  Property property();
  Attribute attribute();
  /// False where the field is none of the scalars; `given` becomes the kind of the one read.
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

  // A tensor's elements, once the whole message has been seen (parse_elements.cc).
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

  /// A name: copied, at most kLongestName bytes. One that occurred shortly before is not copied
  /// again: most names are a type, an attribute, or what a node nearby puts out. Nor is one that
  /// the name copied last begins with.
  std::string_view name(const Field& field);
  /// A name of an operator domain; of the two spellings of the default one, the empty.
  std::string_view domain(const Field& field);
  /// Any bytes: copied.
  std::string_view text(const Field& field);
  void packed_integers(Gathered<std::int64_t>& numbers, const Field& field);
  void packed_floats(Gathered<float>& numbers, const Field& field);

  /// One element of a repeated message field. On failure adds "<what> #<index> '<name>'" to the
  /// place.
  template <typename Items, typename Parse>
  void item(Items& list, const Field& field, const char* type, const char* what,
            proto::Tag name_tag, Parse parse) {
    const Message message(*in_, field, type);
    list.add(parse());
    if (in_->failed()) [[unlikely]]
      blame(what, list.size(), field, name_tag);
  }

  /// A singular message field. `counts` is of the message around it.
  template <typename Parse>
  void singular(WireReader::Counts& counts, const Field& field, const char* type, Parse parse) {
    std::uint32_t& occurrences = counts[proto::number(field.tag)];
    if (occurrences > 1) {
      merged(field, occurrences, parse);
    } else if (occurrences == 1) {
      const Message message(*in_, field, type);
      parse();
    }
    occurrences = 0;  // a merged field has been read whole
  }

  template <typename Parse>
  void merged(const Field& field, std::uint32_t occurrences, Parse parse) {
    WireReader concatenated(gather(field, occurrences), "a message given in several parts");
    WireReader* const outer = std::exchange(in_, &concatenated);
    if (!outer->failed()) parse();
    in_ = outer;
    if (concatenated.failed()) outer->fail(concatenated.take_error());
  }
  /// The payloads of all fields with this tag from `first` to the end of the present message.
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

  /// One level of recursion; fails past the limit.
  class Depth {
   public:
    Depth(Parser& parser, const char* what);
    Depth(const Depth&) = delete;
    Depth& operator=(const Depth&) = delete;
    ~Depth() { --parser_.depth_; }

   private:
    Parser& parser_;
  };

  /// Whether `bytes` more fit the memory budget; fails where they do not.
  bool affordable(std::size_t bytes) {
    const auto budget = static_cast<std::size_t>(std::max<std::int64_t>(limits_.memory, 0));
    const std::size_t used = arena_.bytes_used() - stored_;
    if (used <= budget && bytes <= budget - used) [[likely]]
      return true;
    fail_budget(bytes, budget);
    return false;
  }
  void fail_budget(std::size_t bytes, std::size_t budget);
  /// As array(); of the bytes, `in_file` are not charged to the budget.
  std::span<std::byte> element_array(std::size_t size, std::int64_t in_file);
  /// Uninitialised: memory of a list that a hostile count makes large is not touched before it is
  /// used.
  template <typename T>
  std::span<T> raw_array(std::size_t size) {
    static_assert(std::is_trivially_destructible_v<T>);
    if (size == 0 || size > SIZE_MAX / sizeof(T) || !affordable(size * sizeof(T))) return {};
    // Elements of a tensor may be read as wider ones.
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

  WireReader* in_;
  Arena& arena_;
  const Limits& limits_;
  int depth_ = 0;
  std::array<std::string_view, 512> recent_;  ///< direct-mapped
  std::string_view last_name_;                ///< copied last
  std::span<const std::int64_t> last_dims_;   ///< of a tensor, copied last
  std::size_t stored_ = 0;  ///< of the arena: elements that are as large in the file
  std::vector<std::int64_t> int_stack_;
  std::vector<float> float_stack_;
  std::vector<Text> input_stack_, output_stack_;
  std::vector<Attribute> attribute_stack_;
  std::vector<Property> property_stack_;
};

/// "[4, 3]"
std::string shape_text(std::span<const std::int64_t> dims);

}  // namespace ridge::onnx
