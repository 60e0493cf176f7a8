// SPDX-License-Identifier: Apache-2.0
// SequenceProto and OptionalProto. Both use the same field numbers for the kinds of their content.
#include <fmt/format.h>

#include "onnx/parse/parse.h"

namespace ridge::onnx {

Value Parser::value(std::span<const TypeKind> kinds) {
  namespace f = proto::value;
  const Depth depth(*this, "values");
  Value v{.kind = kinds.front()};
  if (kinds.size() == 1) {
    v.tensor = keep(tensor());
    return v;
  }
  const proto::Tag held = kinds[1] == TypeKind::kTensor     ? f::kTensor
                          : kinds[1] == TypeKind::kSequence ? f::kSequence
                                                            : f::kOptional;
  WireReader::Counts counts = in_->count();
  List<Value> members(*this, counts, held, v.members);
  Field field;
  while (in_->next(field)) {
    if (field.tag == held) {
      item(members, field, "a value", "element", proto::tensor::kName,
           [&] { return value(kinds.subspan(1)); });
    } else if (field.tag != f::kName && field.tag != f::kElementKind) {
      fail(input_error("RIDGE-ONNX-0260",
                       fmt::format("this is not a {} of the input's type",
                                   v.kind == TypeKind::kSequence ? "sequence" : "optional"))
               .evidence(in_->evidence(field.at, fmt::format("field {}", field.tag >> 3)))
               .hint("write it with onnx.numpy_helper.from_list or from_optional"));
    }
  }
  return v;
}

}  // namespace ridge::onnx
