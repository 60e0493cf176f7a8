// SPDX-License-Identifier: Apache-2.0
#include "base/library_symbols.h"

#include <dlfcn.h>
#include <fmt/format.h>

namespace ridge {

LibrarySymbols::LibrarySymbols(const char* library)
    : library_(library), handle_(::dlopen(library, RTLD_NOW | RTLD_LOCAL)) {
  if (handle_ == nullptr) fault_ = ::dlerror();
}

void* LibrarySymbols::address(const char* name) {
  void* found = handle_ == nullptr ? nullptr : ::dlsym(handle_, name);
  if (found == nullptr && handle_ != nullptr) fault_ = fmt::format("{} lacks {}", library_, name);
  return found;
}

}  // namespace ridge
