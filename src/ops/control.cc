// SPDX-License-Identifier: Apache-2.0
// Control flow: the work is in the bodies, which the resolver processes.
#include "ops/rule.h"
#include "ops/tables.h"

namespace ridge::ops {
namespace {

constexpr std::string_view kBodies = "the work of its bodies";

// Called only for a node without bodies.
Result<void> infer_body(Context& c) {
  return c.fail(Fault::kAttribute, "no attribute contains a body");
}

// Batch size of a text generation operator; input 0 is [batch, sequence]. Its decoder runs once per
// token.
Dim batch(const Context& c) {
  const Shape& ids = c.input(0).shape;
  return ids.ranked() && ids.rank > 0 ? ids[0] : Dim();
}

// Outputs: sequences per prompt, their scores, and the scores of every token at every step.
Result<void> infer_beams(Context& c) {
  if (c.node().bodies.empty()) return infer_body(c);
  const Dim length = scalar_input(c, 1), beams = scalar_input(c, 3), kept = scalar_input(c, 4);
  const DataType scores = c.has_input(5) ? c.input(5).dtype : DataType::kFloat;
  const Shape& ids = c.input(0).shape;
  DimPool& p = c.dims();
  const std::int64_t kind = TRY(c.int_attribute("model_type", 0));
  const Dim before = kind == 0 && ids.rank == 2 ? ids[1] : Dim();
  set_tensor(c, 0, DataType::kInt32, c.shape({batch(c), kept, length}));
  set_tensor(c, 1, scores, c.shape({batch(c), kept}));
  const std::int64_t words = TRY(c.int_attribute("vocab_size", -1));
  set_tensor(c, 2, scores,
             c.shape({p.sub(length, before), batch(c), beams, words > 0 ? Dim(words) : Dim()}));
  return {};
}

Result<void> infer_greedy(Context& c) {
  if (c.node().bodies.empty()) return infer_body(c);
  TRY(require_inputs(c, 2));
  const std::int64_t words = TRY(c.int_attribute("vocab_size", -1));
  set_tensor(c, 0, DataType::kInt32, c.shape({batch(c), scalar_input(c, 1)}));
  set_tensor(c, 1, c.has_input(3) ? c.input(3).dtype : DataType::kFloat,
             c.shape({batch(c), words > 0 ? Dim(words) : Dim()}));
  return {};
}

constexpr Operator search(std::string_view name) {
  const bool beams = name.ends_with("BeamSearch");
  return {.domain = kMicrosoft,
          .name = name,
          .infer = beams ? infer_beams : infer_greedy,
          .kind = Kind::kControl,
          .formula =
              "the work of its bodies; how often the decoder runs the data decides: at most "
              "max_length times"};
}

constexpr Operator kControlRows[] = {
    {.name = "If", .since = 1, .infer = infer_body, .kind = Kind::kControl, .formula = kBodies},
    {.name = "Loop", .since = 1, .infer = infer_body, .kind = Kind::kControl, .formula = kBodies},
    {.name = "SequenceMap",
     .since = 17,
     .infer = infer_body,
     .kind = Kind::kControl,
     .formula = kBodies},
    search("BeamSearch"),
    search("GreedySearch"),
    search("Sampling"),
    search("WhisperBeamSearch"),
    {.name = "Scan", .since = 8, .infer = infer_body, .kind = Kind::kControl, .formula = kBodies},
};

}  // namespace

const std::span<const Operator> kControl = kControlRows;

}  // namespace ridge::ops
