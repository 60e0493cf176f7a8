#include "cli/runtime_source.h"

#include <cstdlib>

#include "cli/cache_folder.h"
#include "runtime/runtime.h"

namespace ridge::cli {

std::vector<std::string> runtime_folders() {
  const char* root = std::getenv("ONNXRUNTIME_ROOT");
  return runtime::library_folders(root ? root : "", user_cache());
}

std::vector<machine::RuntimeFinding> find_runtimes() {
  machine::RuntimeFinding found{.name = "ONNX Runtime", .version = {}, .library = {}, .advice = {}};
  const auto runtime = runtime::Runtime::spawn({.folders = runtime_folders()});
  if (runtime.ok()) {
    found.version = runtime->info().version;
    found.library = runtime->info().library;
  } else {
    found.advice = runtime.error().hint();
  }
  return {found};
}

}  // namespace ridge::cli
