// Where ridge keeps what it can make again: measured roofs, downloaded libraries.
#pragma once

#include <string>

namespace ridge::cli {

/// $XDG_CACHE_HOME, else $HOME/.cache; empty where neither is set to an absolute path (XDG Base
/// Directory Specification).
std::string user_cache();

/// user_cache() + "/ridge"; empty where there is none.
std::string cache_folder();

/// The Python environment with Apache TVM: $RIDGE_TVM, else that of scripts/fetch_tvm.sh in the
/// cache folder (workbench::tvm_folder).
std::string tvm_folder();

}  // namespace ridge::cli
