// A file that appears whole or not at all: bytes go to a temporary beside it, commit() renames.
//
//   FileWriter out = TRY(FileWriter::create("model.onnx"));
//   TRY(out.write(part));  …
//   TRY(out.commit());
//
// A reader sees the old or the new content, never a part. A symbolic link stays one. Pipes,
// terminals and devices (/dev/stdout) take the bytes as they come. Without commit() the temporary
// goes away. Errors: environment class. Not thread-safe.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ridge {

class FileWriter {
 public:
  static Result<FileWriter> create(const std::string& path);

  FileWriter(FileWriter&&) noexcept;
  FileWriter& operator=(FileWriter&&) noexcept;
  ~FileWriter();

  Result<void> write(std::string_view bytes);
  Result<void> commit();

 private:
  struct State;
  explicit FileWriter(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace ridge
