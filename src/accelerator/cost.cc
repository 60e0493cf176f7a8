#include "accelerator/cost.h"

namespace ridge::accelerator {

std::string_view name(Bound bound) {
  constexpr std::array<std::string_view, 9> kNames = {"",           "compute",     "fill",
                                                      "dram ifmap", "dram filter", "dram ofmap",
                                                      "dram psum",  "sram port",   "vector unit"};
  return kNames[static_cast<std::size_t>(bound)];
}

}  // namespace ridge::accelerator
