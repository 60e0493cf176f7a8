// Atomic file writer: bytes go to a temporary file in the same folder, commit() renames it.
//
//   FileWriter out = TRY(FileWriter::create("model.onnx"));
//   TRY(out.write(part));  …
//   TRY(out.commit());
//
// A reader sees either the old or the new content. If the path is a symbolic link, its target is
// replaced and the link stays. Pipes, terminals and devices (/dev/stdout) are written directly.
// Without commit() the temporary file is deleted. Errors: environment class. Not thread-safe.
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
