// SPDX-License-Identifier: Apache-2.0
#include "runtime/child/plugin.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <deque>
#include <string_view>

#include "runtime/sized.h"

namespace ridge::runtime {
namespace {

/// Converts a fixed-size field that may lack a terminating null.
template <std::size_t N>
std::string field_text(const char (&field)[N]) {
  return std::string(field, ::strnlen(field, N));
}

ErrorClass class_of(RidgeStatus status) {
  switch (status) {
    case RIDGE_INPUT:
      return ErrorClass::kInput;
    case RIDGE_ENVIRONMENT:
    case RIDGE_MEMORY:
    case RIDGE_CANCELLED:
      return ErrorClass::kEnvironment;
    case RIDGE_USAGE:
      return ErrorClass::kUsage;
    default:
      return ErrorClass::kBug;
  }
}

/// True if the table has every call of workers.
bool has_workers(const RidgeRuntimeApi& api) {
  return api.prepare_input != nullptr && api.drop_input != nullptr && api.open_worker != nullptr &&
         api.run_worker != nullptr && api.worker_outputs != nullptr && api.close_worker != nullptr;
}

}  // namespace

RidgeError no_error() {
  RidgeError error{};
  error.size = sizeof(error);
  return error;
}

Result<void> check(RidgeStatus status, const RidgeError& error) {
  if (status == RIDGE_OK) return {};
  std::string code = field_text(error.code), message = field_text(error.message);
  if (code.empty()) code = "RIDGE-RT-0005";
  if (message.empty()) message = fmt::format("the plug-in failed with status {}", int{status});
  return Error(class_of(status), code, std::move(message))
      .evidence(field_text(error.evidence))
      .hint(field_text(error.hint));
}

Result<const RidgeRuntimeApi*> open_plugin(const std::string& path) {
  void* handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    return environment_error("RIDGE-RT-0003", "the runtime plug-in cannot be opened")
        .evidence(::dlerror())
        .hint("build ridge again on this machine")
        .in_file(path);
  }
  const auto get_api = reinterpret_cast<RidgeGetApi>(::dlsym(handle, RIDGE_RUNTIME_GET_API));
  const RidgeRuntimeApi* api = get_api != nullptr ? get_api(RIDGE_RUNTIME_ABI) : nullptr;
  if (api != nullptr && api->size >= offsetof(RidgeRuntimeApi, prepare_input) &&
      api->version == RIDGE_RUNTIME_ABI) {
    static std::deque<RidgeRuntimeApi> tables;  // complete, whatever the size of the plug-in's
    RidgeRuntimeApi& own = tables.emplace_back(received(*api));
    if (!has_workers(own)) own.capabilities &= ~std::uint64_t{RIDGE_HAS_WORKERS};
    if (!has_workers(own) || own.hand_over == nullptr || own.worker_inputs == nullptr)
      own.capabilities &= ~std::uint64_t{RIDGE_HAS_HAND_OVER};
    if (!has_workers(own) || own.share_buffers == nullptr)
      own.capabilities &= ~std::uint64_t{RIDGE_SHARES_BUFFERS};
    return &own;
  }
  return environment_error(
             "RIDGE-RT-0004",
             fmt::format("the file is not a runtime plug-in for version {} of the interface",
                         RIDGE_RUNTIME_ABI))
      .hint("build the plug-in against this version of runtime/abi.h")
      .in_file(path);
}

}  // namespace ridge::runtime
