// SPDX-License-Identifier: Apache-2.0
#include "bricks/run/file.h"

#include <fmt/format.h>

#include "base/file.h"
#include "base/hash/sha256.h"
#include "onnx/writer.h"

namespace ridge::bricks {
namespace {

Error not_the_planned(const Brick& brick, const std::string& path, const std::string& found) {
  return input_error("RIDGE-WB-0320", "the file is not the brick that was planned")
      .evidence(fmt::format("planned: {} bytes, sha256:{}; found: {}", brick.digest.bytes,
                            brick.digest.sha256, found))
      .hint("plan into a new folder: ridge bricks plan MODEL... --out DIR")
      .in_file(path);
}

}  // namespace

Result<FileDigest> save_brick(const onnx::Document& model, const std::string& path,
                              Durability durability) {
  TRY(onnx::write_file(model, path, {.durability = durability}));
  const File file = TRY(File::open(path));
  return FileDigest{TRY(sha256_of(file)), file.size()};
}

Result<void> check_brick(const Brick& brick, const std::string& folder) {
  const std::string path = folder + "/" + brick.file;
  const File file = TRY(File::open(path));
  if (file.size() != brick.digest.bytes)
    return not_the_planned(brick, path, fmt::format("{} bytes", file.size()));
  const std::string found = TRY(sha256_of(file));
  if (found != brick.digest.sha256)
    return not_the_planned(brick, path, fmt::format("sha256:{}", found));
  return {};
}

}  // namespace ridge::bricks
