// SPDX-License-Identifier: Apache-2.0
// ridge share serve, list, pin, unpin, evict, flush, stop: the daemon that keeps models in memory,
// and orders to it.
#pragma once

#include <string_view>

#include "cli/verb.h"

namespace ridge::cli {

inline constexpr std::string_view kShareServeExamples =
    "ridge share serve --memory 4G                     # keeps models in memory; Ctrl-C ends it\n"
    "ridge share serve --detach --idle-exit 10m        # in the background, until nobody asks\n";
inline constexpr std::string_view kShareListExamples =
    "ridge share list                                  # what the daemon has, and who leases it\n"
    "ridge share list --format json\n";
inline constexpr std::string_view kSharePinExamples =
    "ridge share pin resnet50.onnx                     # loads it, and keeps it until unpin\n";
inline constexpr std::string_view kShareUnpinExamples =
    "ridge share unpin resnet50.onnx                   # it may leave when memory is short\n";
inline constexpr std::string_view kShareEvictExamples =
    "ridge share evict resnet50.onnx                   # frees it, unless somebody leases it\n"
    "ridge share evict 3f9ac1d2                        # by the key that ridge share list shows\n";
inline constexpr std::string_view kShareFlushExamples =
    "ridge share flush                                 # frees all that nobody leases or pinned\n";
inline constexpr std::string_view kShareStopExamples =
    "ridge share stop                                  # ends the daemon; leases stay usable\n";

Run setup_share_serve(Flags& flags);
Run setup_share_list(Flags& flags);
Run setup_share_pin(Flags& flags);
Run setup_share_unpin(Flags& flags);
Run setup_share_evict(Flags& flags);
Run setup_share_flush(Flags& flags);
Run setup_share_stop(Flags& flags);

}  // namespace ridge::cli
