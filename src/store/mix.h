// Adds members of rows to a digest of their content. Floating-point numbers count by their bits,
// except that every NaN is the same.
#pragma once

#include <bit>
#include <cmath>
#include <concepts>
#include <optional>
#include <string>
#include <type_traits>

#include "base/hash/digest.h"

namespace ridge::store {

inline void mix(Digest& d, const std::string& v) { d.add(std::string_view(v)); }
inline void mix(Digest& d, double v) {
  d.add(std::isnan(v) ? ~std::uint64_t{0} : std::bit_cast<std::uint64_t>(v));
}
template <std::integral T>
void mix(Digest& d, T v) {
  d.add_int(static_cast<std::int64_t>(v));
}
template <typename E>
  requires std::is_enum_v<E>
void mix(Digest& d, E v) {
  d.add(name(v));
}
template <typename T>
void mix(Digest& d, const std::optional<T>& v) {
  d.add_int(v ? 1 : 0);
  if (v) mix(d, *v);
}

}  // namespace ridge::store
