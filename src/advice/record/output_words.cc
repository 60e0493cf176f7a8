// SPDX-License-Identifier: Apache-2.0
#include "advice/record/output_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ridge::advice {

std::string outputs_words(const Finding& f) {
  if (f.effect.empty()) return "";
  if (f.effect == "accuracy") return "differ: judge the accuracy on data";
  if (f.effect == "values") return "differ for some inputs: " + f.effect_where;
  if (f.effect == "interface") return "not those of the same interface: " + f.effect_where;
  if (f.lossless) return "the same up to rounding wherever they were compared (lossless)";
  if (!f.check || !f.check->outputs)
    return "the same up to rounding by the definition of the operators, not compared: --check";
  return fmt::format("not called lossless, since not all was compared: {}",
                     fmt::join(f.check->outputs->not_compared, "; "));
}

std::string compared_words(const OutputDifference& o) {
  std::string out = "do not differ";
  if (o.max_abs > 0 || o.max_rel > 0)
    out = fmt::format("differ by at most {:.2g} of their largest element ({:.2g} absolute)",
                      o.max_rel, o.max_abs);
  if (!o.sizes.empty()) out += fmt::format("; compared at {}", fmt::join(o.sizes, "; "));
  if (!o.inputs.empty()) out += fmt::format("; elements: {}", fmt::join(o.inputs, ", "));
  if (o.rounding > 0) out += fmt::format("; up to {:.2g} is rounding", o.rounding);
  if (!o.differs_usually.empty()) out += "; more than rounding: " + o.differs_usually;
  if (!o.differs_unusually.empty())
    out += "; more than rounding for unusual inputs: " + o.differs_unusually;
  if (!o.not_compared.empty())
    out += fmt::format("; not compared: {}", fmt::join(o.not_compared, "; "));
  return out;
}

}  // namespace ridge::advice
