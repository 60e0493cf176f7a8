// SPDX-License-Identifier: Apache-2.0
#include "ops/testing.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <charconv>
#include <deque>
#include <map>
#include <memory>

#include "ops/operator.h"

namespace ridge::ops::testing {
namespace {

struct ShortName {
  std::string_view text;
  DataType type;
};
constexpr ShortName kShortNames[] = {
    {"f32", DataType::kFloat},  {"f16", DataType::kFloat16}, {"bf16", DataType::kBfloat16},
    {"f64", DataType::kDouble}, {"i8", DataType::kInt8},     {"u8", DataType::kUint8},
    {"i16", DataType::kInt16},  {"u16", DataType::kUint16},  {"i32", DataType::kInt32},
    {"u32", DataType::kUint32}, {"i64", DataType::kInt64},   {"u64", DataType::kUint64},
    {"bool", DataType::kBool},  {"str", DataType::kString},  {"i4", DataType::kInt4},
    {"u4", DataType::kUint4},   {"?", DataType::kUndefined},
};

std::string_view short_name(DataType type) {
  for (const ShortName& row : kShortNames)
    if (row.type == type) return row.text;
  return "other";
}

// Context of a single node, in place of the resolver.
class Case : public Context {
 public:
  explicit Case(std::string_view text) : rest_(text) {
    dims_ = &pool_;
    arena_ = &memory_;
    parse();
  }

  const Type& input(std::size_t i) const override { return has_input(i) ? inputs_[i] : nothing_; }
  const Value* folded(std::size_t i) const override {
    return has_input(i) ? input_values_[i] : nullptr;
  }
  const Type& output(std::size_t i) const override {
    return i < outputs_.size() ? outputs_[i] : nothing_;
  }
  void set_output(std::size_t i, const Type& type) override {
    if (i < outputs_.size()) outputs_[i] = type;
  }
  void set_value(std::size_t i, const Value& value) override {
    if (i < output_values_.size()) output_values_[i] = value;
  }
  Result<const Value*> tensor_attribute(std::string_view name) override {
    const auto at = tensors_.find(name);
    return at == tensors_.end() ? nullptr : at->second;
  }

  Result<const Operator*> analyse() {
    const Operator* op = find(node_.domain, node_.op_type, node_.opset);
    if (op == nullptr) return input_error("RIDGE-OPS-0000", "unknown operator");
    if (op->infer != nullptr) TRY(op->infer(*this));
    const Dim n = elements(outputs_[0].shape);
    if (op->fold != nullptr && n.known() && n.value() <= kMaxFolded) op->fold(*this);
    return op;
  }

  std::string outputs_text() {
    std::string out;
    for (std::size_t i = 0; i < outputs_.size(); ++i)
      out += (i == 0 ? "" : ", ") + type_text(outputs_[i]) + value_text(output_values_[i]);
    return out;
  }

 private:
  std::string type_text(const Type& t) {
    std::string out(short_name(t.dtype));
    if (t.container == Container::kSequence) out = "seq " + out;
    if (!t.shape.ranked()) return out + "[*]";
    out += '[';
    for (std::size_t i = 0; i < t.shape.span().size(); ++i)
      out += (i == 0 ? "" : ",") + pool_.text(t.shape[i]);
    return out + "]";
  }

  std::string value_text(const std::optional<Value>& v) {
    if (!v) return "";
    std::vector<std::string> items;
    for (const Dim& d : v->ints) items.push_back(pool_.text(d));
    for (const double r : v->reals) items.push_back(fmt::format("{}", r));
    return fmt::format("={{{}}}", fmt::join(items, ","));
  }

  bool eat(std::string_view token) {
    while (!rest_.empty() && rest_.front() == ' ') rest_.remove_prefix(1);
    if (!rest_.starts_with(token)) return false;
    rest_.remove_prefix(token.size());
    return true;
  }
  std::string_view until(std::string_view ends) {
    eat("");
    const std::size_t n = std::min(rest_.find_first_of(ends), rest_.size());
    const std::string_view out = rest_.substr(0, n);
    rest_.remove_prefix(n);
    return out;
  }
  static std::int64_t integer(std::string_view text) {
    std::int64_t out = 0;
    std::from_chars(text.data(), text.data() + text.size(), out);
    return out;
  }
  static double real(std::string_view text) { return std::stod(std::string(text)); }

  Dim dim(std::string_view text) {
    if (text == "?") return {};
    const bool number = text[0] == '-' || (text[0] >= '0' && text[0] <= '9');
    return number ? Dim(integer(text)) : pool_.symbol(text);
  }

  Type type() {
    Type out;
    const std::string_view name = until("[,)= ");
    for (const ShortName& row : kShortNames)
      if (row.text == name) out.dtype = row.type;
    if (!eat("[")) return out;
    if (eat("*]")) return out;
    std::vector<Dim> dims;
    while (!eat("]")) {
      dims.push_back(dim(until(",] ")));
      eat(",");
    }
    out.shape = shape(dims);
    return out;
  }

  const Value* constant(const Type& t) {
    if (!eat("={")) return nullptr;
    std::vector<Dim> ints;
    std::vector<double> reals;
    const onnx::DataTypeInfo* info = onnx::info(t.dtype);
    while (!eat("}")) {
      const std::string_view item = until(",} ");
      if (info->floating)
        reals.push_back(real(item));
      else
        ints.push_back(dim(item));
      eat(",");
    }
    return memory_.make(Value{t.dtype, t.shape, memory_.copy(ints), memory_.copy(reals)});
  }

  void argument() {
    const auto index = static_cast<std::uint32_t>(inputs_.size());
    if (eat("_")) {
      ids_.push_back(graph::kNone);
      inputs_.emplace_back();
      input_values_.push_back(nullptr);
    } else if (eat("@")) {
      const auto same = static_cast<std::size_t>(integer(until(",) ")));
      ids_.push_back(ids_[same]);
      inputs_.push_back(Type(inputs_[same]));
      input_values_.push_back(input_values_[same]);
    } else {
      ids_.push_back(index);
      inputs_.push_back(type());
      input_values_.push_back(constant(inputs_.back()));
    }
  }

  void list(onnx::Attribute& a) {
    const std::size_t n = std::min(rest_.find(']'), rest_.size());
    if (rest_.starts_with("\"")) {
      std::vector<std::string_view> items;
      while (eat("\"")) {
        items.push_back(until("\""));
        eat("\"");
        eat(",");
      }
      eat("]");
      a.type = onnx::AttributeType::kStrings;
      a.strings = memory_.copy(items);
    } else if (rest_.substr(0, n).find('.') == std::string_view::npos) {
      std::vector<std::int64_t> items;
      for (; !eat("]"); eat(",")) items.push_back(integer(until(",] ")));
      a.type = onnx::AttributeType::kInts;
      a.ints = memory_.copy(items);
    } else {
      std::vector<float> items;
      for (; !eat("]"); eat(",")) items.push_back(static_cast<float>(real(until(",] "))));
      a.type = onnx::AttributeType::kFloats;
      a.floats = memory_.copy(items);
    }
  }

  void attribute() {
    onnx::Attribute a;
    a.name = until("=");
    eat("=");
    if (eat("\"")) {
      a.type = onnx::AttributeType::kString;
      a.s = until("\"");
      eat("\"");
    } else if (eat("[")) {
      list(a);
    } else if (const std::string_view item = until(" ["); rest_.starts_with("[")) {
      rest_ = {item.data(), item.size() + rest_.size()};
      const Type t = type();
      a.type = onnx::AttributeType::kTensor;
      std::vector<std::int64_t> dims;
      for (const Dim& d : t.shape.span()) dims.push_back(d.value());
      onnx::Tensor& tensor = held_.emplace_back();
      tensor.type = t.dtype;
      tensor.dims = memory_.copy(dims);
      a.t = &tensor;
      tensors_[a.name] = constant(t);
    } else if (item.find('.') != std::string_view::npos) {
      a.type = onnx::AttributeType::kFloat;
      a.f = static_cast<float>(real(item));
    } else {
      a.type = onnx::AttributeType::kInt;
      a.i = integer(item);
    }
    attributes_.push_back(a);
    eat("");
  }

  void parse() {
    std::string_view name = until("(");
    node_.opset = 17;
    if (const std::size_t dot = name.rfind('.'); dot != std::string_view::npos) {
      node_.domain = name.substr(0, dot);
      node_.opset = 1;
      name.remove_prefix(dot + 1);
    }
    if (const std::size_t dash = name.find('-'); dash != std::string_view::npos) {
      node_.opset = static_cast<std::int32_t>(integer(name.substr(dash + 1)));
      name = name.substr(0, dash);
    }
    node_.op_type = name;
    for (eat("("); !eat(")"); eat(",")) argument();
    const auto outputs = static_cast<std::uint32_t>(eat("#") ? integer(until(" ")) : 1);
    eat("");
    while (!rest_.empty()) attribute();
    for (std::uint32_t i = 0; i < outputs; ++i) output_ids_.push_back(1000 + i);
    outputs_.resize(outputs);
    output_values_.resize(outputs);
    node_.inputs = ids_;
    node_.outputs = output_ids_;
    node_.attributes = attributes_;
  }

  std::string_view rest_;
  DimPool pool_;
  Arena memory_;
  Type nothing_;
  std::vector<graph::ValueId> ids_, output_ids_;
  std::vector<Type> inputs_, outputs_;
  std::vector<const Value*> input_values_;
  std::vector<std::optional<Value>> output_values_;
  std::vector<onnx::Attribute> attributes_;
  std::deque<onnx::Tensor> held_;
  std::map<std::string_view, const Value*> tensors_;
};

std::string error_text(const Error& error) {
  return fmt::format("error: {} [{}]", error.message(), error.code());
}

}  // namespace

std::string shapes(std::string_view node) {
  Case c(node);
  const auto op = c.analyse();
  return op.ok() ? c.outputs_text() : error_text(op.error());
}

std::string work(std::string_view node) {
  Case c(node);
  const auto op = c.analyse();
  if (!op.ok()) return error_text(op.error());
  const Work w = (*op)->work == nullptr ? Work{} : (*op)->work(c);
  std::string out;
  for (const auto& [name, count] :
       {std::pair{"macs", w.macs}, std::pair{"flops", w.flops}, std::pair{"special", w.special},
        std::pair{"int_ops", w.int_ops}})
    if (!count.is(0))
      out += fmt::format("{}{} {}", out.empty() ? "" : " ", name, c.dims().text(count));
  return out.empty() ? "nothing" : out;
}

long macs_of(std::string_view node) {
  const std::string text = work(node);
  return text.starts_with("macs ") ? std::stol(text.substr(5)) : -1;
}

std::string bytes(std::string_view node) {
  Case c(node);
  const auto op = c.analyse();
  if (!op.ok()) return error_text(op.error());
  const Traffic t = (*op)->kind == Kind::kControl ? Traffic{} : traffic_of(c, **op);
  return fmt::format("read {} written {}", c.dims().text(t.read), c.dims().text(t.written));
}

TEST(OpsTesting, ANodeReadsAsText) {
  EXPECT_EQ(shapes("Relu(f32[2,batch,?])"), "f32[2,batch,?]");
  EXPECT_EQ(shapes("Relu(f32[*])"), "f32[*]");
  EXPECT_EQ(shapes("Relu()"),
            "error: Relu: input 0 is missing, the operator needs 1 [RIDGE-OPS-0101]");
  EXPECT_EQ(shapes("NoSuchThing(f32[1])"), "error: unknown operator [RIDGE-OPS-0000]");
  EXPECT_EQ(bytes("Mul(f32[4], @0)"), "read 16 written 16");
  EXPECT_EQ(bytes("Mul(f32[4], f32[4])"), "read 32 written 16");
}

}  // namespace ridge::ops::testing
