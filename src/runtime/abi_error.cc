// SPDX-License-Identifier: Apache-2.0
#include "runtime/abi_error.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <new>
#include <string>

namespace ridge::runtime {
namespace {

template <std::size_t N>
void copy(const std::string& text, char (&out)[N]) {
  const std::size_t length = std::min(text.size(), N - 1);
  std::memcpy(out, text.data(), length);
  out[length] = '\0';
}

RidgeStatus status_of(const Error& error, const OutcomeCodes& codes) {
  if (error.code() == codes.out_of_memory) return RIDGE_MEMORY;
  if (error.code() == codes.canceled) return RIDGE_CANCELLED;
  switch (error.error_class()) {
    case ErrorClass::kInput:
      return RIDGE_INPUT;
    case ErrorClass::kEnvironment:
      return RIDGE_ENVIRONMENT;
    case ErrorClass::kUsage:
      return RIDGE_USAGE;
    case ErrorClass::kBug:
      break;
  }
  return RIDGE_BUG;
}

}  // namespace

RidgeStatus fill_error(const Error& error, const OutcomeCodes& codes, RidgeError* out) {
  if (out != nullptr && out->size >= sizeof(RidgeError)) {
    copy(error.code(), out->code);
    copy(error.summary(), out->message);
    copy(error.evidence(), out->evidence);
    copy(error.hint(), out->hint);
  }
  return status_of(error, codes);
}

Error caught_error(const OutcomeCodes& codes, std::string_view plugin) {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    return environment_error(std::string(codes.out_of_memory),
                             "the runtime plug-in ran out of memory");
  } catch (const std::exception& thrown) {
    return bug(thrown.what(), plugin);
  } catch (...) {
    return bug("an exception of an unknown type", plugin);
  }
}

}  // namespace ridge::runtime
