// SPDX-License-Identifier: Apache-2.0
#include "lab/submit/results.h"

#include <filesystem>
#include <system_error>

#include "runtime/paths.h"

namespace ridge::lab {
namespace {

std::string title_of(const std::string& name) {
  const runtime::KnownRuntime* known = runtime::known_runtime(name);
  return known != nullptr ? std::string(known->title) : name;
}

/// Deletes a file at the end of its scope.
class Consumed {
 public:
  explicit Consumed(const std::string& path) : path_(path) {}
  Consumed(const Consumed&) = delete;
  Consumed& operator=(const Consumed&) = delete;
  ~Consumed() { discard_result(path_); }

 private:
  const std::string& path_;
};

}  // namespace

void discard_result(const std::string& path) {
  std::error_code ignored;
  if (!path.empty()) std::filesystem::remove(path, ignored);
}

Result<bool> Results::has(const std::string& key) const {
  if (key.empty()) return false;
  if (TRY(store_.run_of_point(key))) return true;
  return TRY(store_.evaluation_of_point(key)).has_value();
}

Result<Taken> Results::take(const std::string& path, const std::string& key) {
  const Consumed file(path);
  if (TRY(has(key))) return Taken::kDuplicate;
  const Result<store::Store> from = store::Store::open(path, store::Access::kRead);
  if (!from.ok()) return Taken::kUnreadable;
  TRY(store_.merge(*from, title_of));
  return TRY(has(key)) ? Taken::kNew : Taken::kIncomplete;
}

}  // namespace ridge::lab
