// Control flow: the work is in the bodies, which the resolver walks.
#include "ops/tables.h"

namespace ridge::ops {
namespace {

constexpr std::string_view kBodies = "the work of its bodies";

constexpr Operator kRows[] = {
    {.name = "If", .since = 1, .kind = Kind::kControl, .formula = kBodies},
    {.name = "Loop", .since = 1, .kind = Kind::kControl, .formula = kBodies},
    {.name = "Scan", .since = 9, .kind = Kind::kControl, .formula = kBodies},
};

}  // namespace

const std::span<const Operator> kControl = kRows;

}  // namespace ridge::ops
