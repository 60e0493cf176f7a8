// SPDX-License-Identifier: Apache-2.0
#include "export/advice/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "advice/record/verdict.h"
#include "base/text.h"

namespace ridge::exports {

std::string estimate_text(const stats::Estimate& e) {
  if (!std::isfinite(e.value)) return "unknown";
  if (!e.interval) return duration(e.value);
  return fmt::format("{} (95 %: {} to {})", duration(e.value), duration(e.low()),
                     duration(e.high()));
}

std::string model_bound_text(const advice::ModelBound& b) {
  if (!b.time_ns) return b.reason.empty() ? "the roofs of this machine are unknown" : b.reason;
  std::string out =
      b.kind == "compute"
          ? fmt::format("compute: {} multiply-accumulates", si(static_cast<double>(b.macs)))
          : fmt::format("{}: {}B of inputs, weights and outputs", b.kind,
                        si(static_cast<double>(b.input_bytes + b.weight_bytes + b.output_bytes)));
  if (!b.unknown.empty())
    out += fmt::format("; without {}, whose arithmetic is unknown",
                       counted(std::ssize(b.unknown), "product"));
  return out;
}

std::string state_words(const advice::Check& check) {
  std::string out(name(check.state));
  std::ranges::replace(out, '_', ' ');
  return out;
}

std::string predicted_gain_text(const stats::Estimate& predicted, double latency_ns) {
  return advice::is_predictable(predicted, latency_ns)
             ? estimate_text(predicted)
             : advice::unpredictable_text(predicted, latency_ns);
}

std::string_view prediction_words(const advice::Check& check) {
  switch (check.prediction) {
    case advice::Prediction::kWithin:
      return "within what is allowed";
    case advice::Prediction::kMissed:
      return "missed";
    case advice::Prediction::kUnpredictable:
      return "cannot be predicted in this budget";
    case advice::Prediction::kNone:
      break;
  }
  return "";
}

}  // namespace ridge::exports
