// SPDX-License-Identifier: Apache-2.0
// A process of arrivals as text, both ways: "poisson(12)", "gamma(12, 0.5)".
//
//   arrivals_text(scenario::Gamma{.rate = 12, .shape = 0.5})
//   read_arrivals("constant(20)")                     // nullopt for what is none
//
// Numbers are those that read back equal. Of a replay the text has speed and rounds, the times are
// the file's. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "scenario/arrivals.h"

namespace ridge::evaluation {

std::string arrivals_text(const scenario::ArrivalProcess& process);
std::optional<scenario::ArrivalProcess> read_arrivals(std::string_view text);

}  // namespace ridge::evaluation
