// SPDX-License-Identifier: Apache-2.0
// Weights for models that are loaded and never run: of the right types and sizes, without the
// elements.
//
//   BlankWeights blank(options.memory_folder);
//   runtime.load({.model = copy.bytes, .weights = TRY(blank.of(copy))});
//
// A runtime selects kernels by type and shape, and to read or generate gigabytes of elements takes
// longer than all the rest. So all large weights lie in one file in memory, of the size of the
// largest, and overlap: the first begins at its first page, the next at its second, and so on.
// Every page begins with another number, so no two weights are equal (OpenVINO computes products
// with equal weights once), and all elements are ordinary positive numbers. Small weights keep
// their elements: they may be bounds or scales that the runtime looks at.
//
// Ownership: the file exists until the next call of of() and at most as long as this object. Thread
// rule: one thread. Errors: as runtime::weight_of.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "attribution/canonical.h"
#include "base/file.h"
#include "base/result.h"
#include "base/temporary_folder.h"
#include "runtime/memory_file.h"
#include "runtime/weights.h"

namespace ridge::bricks {

class BlankWeights {
 public:
  /// `memory_folder`: in a file system in memory. Where it has no room, weights are generated with
  /// equal elements.
  explicit BlankWeights(std::string memory_folder) : memory_folder_(std::move(memory_folder)) {}

  Result<std::vector<runtime::Weight>> of(const attribution::Canonical& copy);

 private:
  std::shared_ptr<const File> file_of(std::size_t bytes);

  std::string memory_folder_;
  std::optional<TemporaryFolder> folder_;
  std::optional<runtime::MemoryFile> memory_;
  std::shared_ptr<const File> file_;
};

}  // namespace ridge::bricks
