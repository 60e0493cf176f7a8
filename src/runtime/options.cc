#include "runtime/options.h"

#include <array>

namespace ridge::runtime {
namespace {

struct OptimizationName {
  Optimization optimization;
  std::string_view name;
};
constexpr std::array<OptimizationName, 4> kOptimizations = {
    {{Optimization::kAll, "all"},
     {Optimization::kDisable, "disable"},
     {Optimization::kBasic, "basic"},
     {Optimization::kExtended, "extended"}}};

}  // namespace

std::optional<Optimization> optimization_named(std::string_view name) {
  for (const OptimizationName& row : kOptimizations) {
    if (row.name == name) return row.optimization;
  }
  return std::nullopt;
}

std::string_view name(Optimization optimization) {
  for (const OptimizationName& row : kOptimizations) {
    if (row.optimization == optimization) return row.name;
  }
  return "";
}

}  // namespace ridge::runtime
