// SPDX-License-Identifier: Apache-2.0
// A prepared model as a store keeps it, for tests and benchmarks: each weight from a page of its
// own on, in memory that nobody can change any more.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "runtime/prepared.h"

namespace ridge::runtime::testing {

struct KeptModel {
  std::string model;
  std::vector<Weight> weights;  ///< in one file
  std::int64_t bytes = 0;       ///< total of all weights

  LoadRequest request(Form form) const {
    return {.model = model, .weights = weights, .dump = Dump::kNothing, .form = form};
  }
};

inline Result<KeptModel> keep(const Prepared& prepared) {
  const std::int64_t page = ::sysconf(_SC_PAGESIZE);
  KeptModel kept{prepared.model, {}, 0};
  std::vector<PreparedTensor> tensors = prepared.tensors;
  std::int64_t end = 0;
  for (PreparedTensor& tensor : tensors) {
    tensor.offset = end;
    kept.bytes += tensor.bytes;
    end += (tensor.bytes + page - 1) / page * page;
  }
  const int file = ::memfd_create("kept", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (file < 0 || ::ftruncate(file, end) != 0) return bug("no memory for a test", "keep");
  if (end > 0) {
    struct stat status {};
    ::fstat(prepared.elements.get(), &status);
    const ipc::Mapping from =
        TRY(ipc::Mapping::map(prepared.elements.get(), static_cast<std::size_t>(status.st_size),
                              ipc::Mapping::Access::kRead));
    const ipc::Mapping to = TRY(
        ipc::Mapping::map(file, static_cast<std::size_t>(end), ipc::Mapping::Access::kReadWrite));
    for (std::size_t i = 0; i < tensors.size(); ++i)
      std::copy_n(from.bytes().begin() + prepared.tensors[i].offset, tensors[i].bytes,
                  to.bytes().begin() + tensors[i].offset);
  }
  ::fcntl(file, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
  kept.weights = prepared_weights(
      tensors, std::make_shared<const File>(TRY(File::adopt(file, "prepared weights"))));
  return kept;
}

}  // namespace ridge::runtime::testing
