// SPDX-License-Identifier: Apache-2.0
// The difference between outputs as a line of text, for tables of evaluations and of their
// comparisons.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "accuracy/divergence.h"

namespace ridge::exports {

/// "98.00 % (94.10 to 99.30)"; "none" for one of nothing.
std::string precise_share(const accuracy::Figure& share);

/// Mean divergence of Kullback and Leibler: "2.1e-5", "infinite (in 3 of 100 samples)"
std::string mean_kl_text(const accuracy::DivergenceFigures& figures);

/// "output 'probs' against ONNX Runtime: largest difference 1.2e-06 (sample cat.png, value 281),
/// same class 98.00 % (94.1 to 99.3), mean KL 2.1e-5, JS 1.1e-6 (probabilities)", and a line that
/// names samples of another class. `samples`: names, by position; others are named by their
/// position.
std::string divergence_text(const accuracy::OutputDivergence& divergence, std::string_view against,
                            std::span<const std::string> samples);

}  // namespace ridge::exports
