// SPDX-License-Identifier: Apache-2.0
// Messages between a daemon and the child process that loads a file for it, in frames (run/line.h):
// LoadFile there, FileLoaded with the sealed memory, or Failure, back.
#pragma once

#include <cstdint>
#include <string>

#include "base/units.h"
#include "record/describe.h"

namespace ridge::sharing {

struct LoadKind {
  enum Value : std::uint16_t { kLoadFile = 1, kFileLoaded = 100, kLoadFailed };
};

/// A version of a file: another content has another one, unless somebody sets clocks back.
struct FileVersion {
  std::uint64_t device = 0, inode = 0;
  std::int64_t bytes = 0, modified_ns = 0, changed_ns = 0;
  bool operator==(const FileVersion&) const = default;
};

struct LoadFile {
  std::string path;
  FileVersion version;
  bool idle = false;  ///< nobody waits for it: at the priority of what nobody else wants
};

struct FileLoaded {
  Bytes bytes{0};
  std::string sha256;
};

}  // namespace ridge::sharing

namespace ridge {

template <>
struct record::Describe<sharing::FileVersion> {
  using T = sharing::FileVersion;
  static constexpr auto fields =
      members<&T::device, &T::inode, &T::bytes, &T::modified_ns, &T::changed_ns>();
};

template <>
struct record::Describe<sharing::LoadFile> {
  using T = sharing::LoadFile;
  static constexpr auto fields = members<&T::path, &T::version, &T::idle>();
};

template <>
struct record::Describe<sharing::FileLoaded> {
  using T = sharing::FileLoaded;
  static constexpr auto fields = members<&T::bytes, &T::sha256>();
};

}  // namespace ridge
