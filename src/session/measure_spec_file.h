// SPDX-License-Identifier: Apache-2.0
// MeasureSpec as text: JSON both ways, and TOML for what people write.
//
//   MeasureSpec spec = TRY(read_measure_spec_toml(R"(
//       runtimes = ["ort", "openvino"]
//       threads = [1, 2]
//       sizes = [{ names = { batch = 8 } }, { shapes = { image = "1x3x224x224" } }]
//       budget = { seconds = 30, of = "all" }         # of all processes together, or "process"
//   )"));
//   std::string text = measure_spec_json(spec);       // what read_measure_spec_json reads
//
// describe.h has the keys; an absent one keeps its default. Errors (input class,
// RIDGE-REC-0001 to 0007, RIDGE-WB-0302, RIDGE-RT-0090): no JSON or TOML, an unknown key (near ones
// are named), a value of the wrong kind or outside its range; each states where. Texts over 64 KiB
// are refused. Pure.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "session/measure_spec.h"

namespace ridge::session {

std::string measure_spec_json(const MeasureSpec& spec);
std::string measure_spec_toml(const MeasureSpec& spec);
Result<MeasureSpec> read_measure_spec_json(std::string_view text);
Result<MeasureSpec> read_measure_spec_toml(std::string_view text);

}  // namespace ridge::session
