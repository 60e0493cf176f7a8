// SPDX-License-Identifier: Apache-2.0
#include "cli/cache_folder.h"

#include <cstdlib>

#include "accelerator/study/tvm.h"

namespace ridge::cli {
namespace {

std::string absolute_path(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && value[0] == '/' ? value : "";
}

}  // namespace

std::string user_cache() {
  if (const std::string cache = absolute_path("XDG_CACHE_HOME"); !cache.empty()) return cache;
  const std::string home = absolute_path("HOME");
  return home.empty() ? "" : home + "/.cache";
}

std::string cache_folder() {
  const std::string cache = user_cache();
  return cache.empty() ? "" : cache + "/ridge";
}

std::string tvm_folder() {
  const char* given = std::getenv("RIDGE_TVM");
  return accelerator::tvm_folder(given != nullptr ? given : "", cache_folder());
}

}  // namespace ridge::cli
