// SPDX-License-Identifier: Apache-2.0
// An annotation file of COCO (instances_*.json), read as a stream: its images, categories and the
// boxes of its annotations, in the order of the file. All else is skipped: outlines, licenses.
//
//   struct Boxes final : CocoHandler { ... } handler;
//   TRY(read_coco_file(path, handler));
//
// Memory: a block of the file and the value that is being read, whatever the file's size. Time:
// linear. Bounds: files of 4 GiB, values of 16 MiB, brackets 64 levels deep. Errors (input class):
// RIDGE-WB-0118, with the path of the value or the byte of the fault; those of the file, of its
// encoding (base/lines.h) and of the handler. Thread rule: one thread.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"

namespace ridge::evaluation {

struct CocoAnnotation {
  std::int64_t image = 0, category = 0;
  std::optional<std::int64_t> id;
  std::array<double, 4> box{};  ///< left, top, width, height
  std::optional<double> area;
  bool crowd = false;
};

/// Receives the parts of a file. An error ends the reading.
class CocoHandler {
 public:
  virtual ~CocoHandler() = default;
  virtual Result<void> image(std::int64_t id, std::string file_name) = 0;
  virtual Result<void> category(std::int64_t id, std::string name) = 0;
  virtual Result<void> annotation(const CocoAnnotation& annotation) = 0;
};

/// Error about what an annotation file lacks: "category_id of a category at /annotations/0".
Error coco_lacks(std::string_view what, std::string_view section, std::size_t index);

Result<void> read_coco_file(const std::string& path, CocoHandler& handler);

}  // namespace ridge::evaluation
