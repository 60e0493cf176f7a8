#include "accelerator/gemm.h"

namespace ridge::accelerator {

std::string_view name(Dataflow dataflow) {
  switch (dataflow) {
    case Dataflow::kOutputStationary:
      return "os";
    case Dataflow::kWeightStationary:
      return "ws";
    case Dataflow::kInputStationary:
      return "is";
  }
  return "";
}

std::optional<Dataflow> dataflow_named(std::string_view text) {
  for (const Dataflow d : kDataflows)
    if (text == name(d)) return d;
  return std::nullopt;
}

Gemm matrix_product(std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t count) {
  Gemm g{m, n, k, count, {}};
  g.window.axes[1] = {.size = m, .out = m};
  g.window.axes[2] = {.size = k, .filter = k};
  return g;
}

}  // namespace ridge::accelerator
