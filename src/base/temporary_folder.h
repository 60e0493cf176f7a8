// Private temporary folder, deleted with its content by the destructor.
//
//   const TemporaryFolder folder = TRY(TemporaryFolder::make("/tmp"));
//   write_file(folder.path() + "/model.onnx", bytes);
//
// Accessible to its owner only (mode 0700). Thread rule: as a std::string.
#pragma once

#include <string>
#include <utility>

#include "base/result.h"

namespace ridge {

class TemporaryFolder {
 public:
  /// Creates a folder inside `below`. Environment error if that fails.
  static Result<TemporaryFolder> make(const std::string& below);

  TemporaryFolder(TemporaryFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;
  ~TemporaryFolder();

  const std::string& path() const { return path_; }

 private:
  explicit TemporaryFolder(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

}  // namespace ridge
