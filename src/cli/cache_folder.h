// SPDX-License-Identifier: Apache-2.0
// Cache folder, for data that can be recreated: measured roofs, downloaded libraries.
#pragma once

#include <string>

namespace ridge::cli {

/// $XDG_CACHE_HOME, else $HOME/.cache; empty if neither is set to an absolute path (XDG Base
/// Directory Specification).
std::string user_cache();

/// user_cache() + "/ridge"; empty if user_cache() is empty.
std::string cache_folder();

/// Folder of the Python environment with Apache TVM: $RIDGE_TVM, else the folder of
/// scripts/fetch_tvm.sh in the cache folder (accelerator::tvm_folder).
std::string tvm_folder();

}  // namespace ridge::cli
