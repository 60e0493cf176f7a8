// SPDX-License-Identifier: Apache-2.0
// All bytes of a file, piece by piece, for its hash.
//
//   TRY(each_piece(file, [&](std::string_view piece) { hash.add(piece); }, watch));
//
// A file of which hardly anything is stored is refused before it is read: to read a terabyte of
// holes takes ten minutes and says nothing. Others are read whatever their size, and the watch is
// told how far they are. Errors: as File; RIDGE-IO-0013, input class (holes); RIDGE-IO-0014,
// environment class (the watch stopped it). Thread rule: plain function.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "base/file.h"
#include "base/result.h"

namespace ridge {

/// Called after every piece with the file's path and bytes; false stops the reading.
using HashWatch =
    std::function<bool(const std::string& path, std::int64_t done, std::int64_t total)>;

Result<void> each_piece(const File& file, const std::function<void(std::string_view)>& visit,
                        const HashWatch& watch = {});

}  // namespace ridge
