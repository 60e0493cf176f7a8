// SPDX-License-Identifier: Apache-2.0
#include "machine/memory.h"

#include "base/number.h"

namespace ridge::machine {

std::optional<std::int64_t> memory_available(const SystemFiles& files) {
  const auto value = field(files.read("/proc/meminfo").value_or(""), "MemAvailable");
  if (!value) return std::nullopt;
  const auto kib = whole_number(std::string_view(*value).substr(0, value->find(' ')));
  return kib ? std::optional(*kib * 1024) : std::nullopt;
}

}  // namespace ridge::machine
