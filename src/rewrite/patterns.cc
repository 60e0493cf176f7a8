// SPDX-License-Identifier: Apache-2.0
#include "rewrite/patterns.h"

namespace ridge::rewrite {
namespace {

// Pattern::differs.
constexpr std::string_view kOverflows = "beyond 88 and -88, where Exp overflows";
constexpr std::string_view kNan = "NaN, which Max, Min and Where may replace by a number";

/// Larger ones first: the Sigmoid inside a SiLU is no finding of its own. Two forms of a Gelu are
/// both in use as exporters write them; runtimes know PyTorch's.
constexpr Pattern kPatterns[] = {
    {"mish", 1, "Mul(x, Tanh(Log(Add(Exp(x), 1))))", "Mul(x, Tanh(Softplus(x)))"},
    {"tanh", 1, "Div(Sub(Exp(x), Exp(Neg(x))), Add(Exp(x), Exp(Neg(x))))", "Tanh(x)", kOverflows},
    {"tanh", 1, "Sub(Mul(2, Sigmoid(Mul(2, x))), 1)", "Tanh(x)"},
    {"hard_swish", 14, "Div(Mul(x, Clip(Add(x, 3), 0, 6)), 6)", "HardSwish(x)"},
    {"hard_swish", 14, "Mul(x, Div(Clip(Add(x, 3), 0, 6), 6))", "HardSwish(x)"},
    {"hard_swish", 14, "Mul(Mul(x, Clip(Add(x, 3), 0, 6)), 0.16666667)", "HardSwish(x)"},
    {"hard_swish", 14, "Mul(x, Mul(Clip(Add(x, 3), 0, 6), 0.16666667))", "HardSwish(x)"},
    {"hard_swish", 14, "Mul(x, Div(Min(Max(Add(x, 3), 0), 6), 6))", "HardSwish(x)"},
    {"hard_swish", 14, "Div(Mul(x, Min(Max(Add(x, 3), 0), 6)), 6)", "HardSwish(x)"},
    {"gelu", 9, "Mul(Mul(0.5, x), Add(Erf(Mul(x, 0.70710678)), 1))",
     "Mul(Mul(x, Add(Erf(Div(x, 1.4142135)), 1)), 0.5)"},
    {"gelu", 9, "Mul(x, Mul(0.5, Add(Erf(Div(x, 1.4142135)), 1)))",
     "Mul(Mul(x, Add(Erf(Div(x, 1.4142135)), 1)), 0.5)"},
    {"gelu", 9, "Mul(x, Mul(0.5, Add(Erf(Mul(x, 0.70710678)), 1)))",
     "Mul(Mul(x, Add(Erf(Div(x, 1.4142135)), 1)), 0.5)"},
    {"gelu", 9, "Mul(Mul(x, Add(Erf(Mul(x, 0.70710678)), 1)), 0.5)",
     "Mul(Mul(x, Add(Erf(Div(x, 1.4142135)), 1)), 0.5)"},
    {"gelu", 9, "Mul(x, Add(0.5, Mul(0.5, Erf(Div(x, 1.4142135)))))",
     "Mul(Mul(x, Add(Erf(Div(x, 1.4142135)), 1)), 0.5)"},
    {"gelu", 9, "Div(Mul(x, Add(Erf(Div(x, 1.4142135)), 1)), 2)",
     "Mul(Mul(x, Add(Erf(Div(x, 1.4142135)), 1)), 0.5)"},
    {"silu", 6, "Div(x, Add(Exp(Neg(x)), 1))", "Mul(x, Sigmoid(x))"},
    {"silu", 6, "Mul(x, Div(1, Add(Exp(Neg(x)), 1)))", "Mul(x, Sigmoid(x))"},
    {"silu", 6, "Mul(x, Reciprocal(Add(Exp(Neg(x)), 1)))", "Mul(x, Sigmoid(x))"},
    {"silu", 6, "Div(x, Add(Exp(Mul(x, -1)), 1))", "Mul(x, Sigmoid(x))"},
    {"sigmoid", 6, "Div(1, Add(Exp(Neg(x)), 1))", "Sigmoid(x)"},
    {"sigmoid", 6, "Reciprocal(Add(Exp(Neg(x)), 1))", "Sigmoid(x)"},
    {"sigmoid", 6, "Mul(0.5, Add(Tanh(Mul(0.5, x)), 1))", "Sigmoid(x)"},
    {"softplus", 1, "Log(Add(Exp(x), 1))", "Softplus(x)", kOverflows},
    {"relu6", 12, "Min(Max(x, 0), 6)", "Clip(x, 0, 6)", kNan},
    {"relu", 6, "Max(x, 0)", "Relu(x)", kNan},
    {"relu", 6, "Where(Greater(x, 0), x, 0)", "Relu(x)", kNan},
};

}  // namespace

std::span<const Pattern> patterns() { return kPatterns; }

}  // namespace ridge::rewrite
