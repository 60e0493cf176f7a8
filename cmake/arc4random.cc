// SPDX-License-Identifier: Apache-2.0
// arc4random of glibc 2.36, which Debian's libexpat.a and libstdc++.a ask for: with these the
// program starts with an older glibc as well. Never fails: early in the boot it waits.
#include <sys/random.h>

#include <cstddef>
#include <cstdint>

extern "C" void arc4random_buf(void* buffer, std::size_t size) {
  auto* at = static_cast<std::byte*>(buffer);
  while (size > 0) {
    const ssize_t got = getrandom(at, size, 0);
    if (got <= 0) continue;  // interrupted by a signal
    at += got;
    size -= static_cast<std::size_t>(got);
  }
}

extern "C" std::uint32_t arc4random() {
  std::uint32_t value = 0;
  arc4random_buf(&value, sizeof value);
  return value;
}
