// How the program's heap treats blocks of 2 MiB and more; see large_blocks.cc.
#pragma once

namespace ridge::cli {

/// Large blocks become mappings of their own from now on, however many were freed: inside the heap
/// their alignment would leave holes of up to 2 MiB between them. For the program itself alone: a
/// child that measures keeps the allocator as other programs have it.
void map_large_blocks();

}  // namespace ridge::cli
