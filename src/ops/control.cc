// Control flow: the work is in the bodies, which the resolver walks.
#include "ops/rule.h"
#include "ops/tables.h"

namespace ridge::ops {
namespace {

constexpr std::string_view kBodies = "the work of its bodies";

// Reached only by a node that has none.
Result<void> infer(Context& c) { return c.fail(Fault::kAttribute, "no attribute gives a body"); }

constexpr Operator kRows[] = {
    {.name = "If", .since = 1, .infer = infer, .kind = Kind::kControl, .formula = kBodies},
    {.name = "Loop", .since = 1, .infer = infer, .kind = Kind::kControl, .formula = kBodies},
    {.name = "SequenceMap",
     .since = 17,
     .infer = infer,
     .kind = Kind::kControl,
     .formula = kBodies},
    {.name = "Scan", .since = 8, .infer = infer, .kind = Kind::kControl, .formula = kBodies},
};

}  // namespace

const std::span<const Operator> kControl = kRows;

}  // namespace ridge::ops
