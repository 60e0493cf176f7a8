// SPDX-License-Identifier: Apache-2.0
#include "runtime/child/plugin.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <optional>
#include <string_view>
#include <utility>

#include "base/file.h"
#include "base/text.h"
#include "runtime/library_file.h"
#include "runtime/sized.h"

namespace ridge::runtime {
namespace {

/// Converts a fixed-size field that may lack a terminating null.
template <std::size_t N>
std::string field_text(const char (&field)[N]) {
  return valid_utf8({field, ::strnlen(field, N)});
}

ErrorClass class_of(RidgeStatus status) {
  switch (status) {
    case RIDGE_INPUT:
      return ErrorClass::kInput;
    case RIDGE_ENVIRONMENT:
    case RIDGE_MEMORY:
    case RIDGE_CANCELED:
      return ErrorClass::kEnvironment;
    case RIDGE_USAGE:
      return ErrorClass::kUsage;
    default:
      return ErrorClass::kBug;
  }
}

Error unloadable(const std::string& path, std::string why) {
  return environment_error("RIDGE-RT-0003", "the runtime plug-in cannot be opened")
      .evidence(std::move(why))
      .in_file(path);
}

Error other_version(const std::string& path, std::optional<std::uint32_t> version) {
  return environment_error(
             "RIDGE-RT-0004",
             fmt::format("the file is not a runtime plug-in for version {} of the interface",
                         RIDGE_RUNTIME_ABI))
      .evidence(version ? fmt::format("it is for version {}", *version)
                        : std::string("it refuses this version"))
      .hint("build the plug-in against this version of abi.h")
      .in_file(path);
}

/// Name of a call that every plug-in has and this one lacks; "": none.
std::string missing_call(const RidgeRuntimeApi& api) {
  const std::pair<const char*, bool> calls[] = {
      {"open", api.open},
      {"info", api.info},
      {"close", api.close},
      {"load", api.load},
      {"graph", api.graph},
      {"set_inputs", api.set_inputs},
      {"run", api.run},
      {"outputs", api.outputs},
      {"profile", api.profile},
      {"unload", api.unload},
      {"cancel", api.cancel || (api.capabilities & RIDGE_CAN_CANCEL) == 0},
      {"facts", api.facts || (api.capabilities & RIDGE_HAS_FACTS) == 0}};
  for (const auto& [name, there] : calls)
    if (!there) return name;
  return {};
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
  code = code.empty() ? "RIDGE-RT-0005" : printable(code);
  if (message.empty()) message = fmt::format("the plug-in failed with status {}", int{status});
  return Error(class_of(status), code, std::move(message))
      .evidence(field_text(error.evidence))
      .hint(field_text(error.hint));
}

Result<const RidgeRuntimeApi*> open_plugin(const std::string& path) {
  if (std::string why = not_a_library(path); !why.empty())
    return unloadable(path, std::move(why)).hint("name the file of a plug-in");
  void* handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr)
    return unloadable(path, ::dlerror())
        .hint(file_exists(path)
                  ? "build it again on this machine; ldd lists the libraries that it needs"
                  : "name the file of a plug-in");
  const auto get_api = reinterpret_cast<RidgeGetApi>(::dlsym(handle, RIDGE_RUNTIME_GET_API));
  if (get_api == nullptr)
    return environment_error("RIDGE-RT-0008", "the library is no runtime plug-in")
        .evidence("it exports no function " RIDGE_RUNTIME_GET_API)
        .hint("export it, in C++ as extern \"C\"; a runtime's own library is for --runtime-library")
        .in_file(path);
  const RidgeRuntimeApi* api = get_api(RIDGE_RUNTIME_ABI);
  if (api == nullptr || api->version != RIDGE_RUNTIME_ABI)
    return other_version(path, api == nullptr ? std::nullopt : std::optional(api->version));
  const RidgeRuntimeApi given = received(*api);
  if (const std::string lacking = missing_call(given); !lacking.empty())
    return environment_error("RIDGE-RT-0009",
                             fmt::format("the plug-in's table of calls lacks '{}'", lacking))
        .evidence(fmt::format("it has {} bytes, {} with every call", api->size, sizeof(given)))
        .hint("RidgeRuntimeApi in abi.h says which calls a plug-in must have")
        .in_file(path);
  static std::deque<RidgeRuntimeApi> tables;  // complete, whatever the size of the plug-in's
  RidgeRuntimeApi& own = tables.emplace_back(given);
  if (!has_workers(own)) own.capabilities &= ~std::uint64_t{RIDGE_HAS_WORKERS};
  if (!has_workers(own) || own.hand_over == nullptr || own.worker_inputs == nullptr)
    own.capabilities &= ~std::uint64_t{RIDGE_HAS_HAND_OVER};
  if (!has_workers(own) || own.share_buffers == nullptr)
    own.capabilities &= ~std::uint64_t{RIDGE_SHARES_BUFFERS};
  if (own.prepare == nullptr) own.capabilities &= ~std::uint64_t{RIDGE_CAN_PREPARE};
  if (own.quiesce == nullptr || own.resume == nullptr)
    own.capabilities &= ~std::uint64_t{RIDGE_CAN_FORK};
  return &own;
}

}  // namespace ridge::runtime
