// A private folder that goes away with all it holds.
//
//   const TemporaryFolder folder = TRY(TemporaryFolder::make("/tmp"));
//   write_file(folder.path() + "/model.onnx", bytes);
//
// Only its owner may look into it. Thread rule: as a std::string.
#pragma once

#include <string>
#include <utility>

#include "base/result.h"

namespace ridge {

class TemporaryFolder {
 public:
  /// In the folder `below`. Environment error where none can be made there.
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
