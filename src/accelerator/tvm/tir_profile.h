// SPDX-License-Identifier: Apache-2.0
// Profiles of layers from the loop nests of TVM.
//
//   Profiles p = TRY(profile_tir(tir_json, map_json, resolved));
//
// `map` is the second file that accelerator/tvm/lower.py writes: which kernel is called with which
// arguments. Node names in it and in the annotations of blocks are the static model's
// (static_model.h).
// Thread rule: pure function. Errors (input class): as read_tir and count; an invalid map; a
// kernel without a loop nest; blocks that implement no node of the model.
#pragma once

#include <string_view>

#include "accelerator/nests/layer_profile.h"
#include "analysis/resolved.h"
#include "base/result.h"

namespace ridge::accelerator {

Result<Profiles> profile_tir(std::string_view tir, std::string_view map,
                             const analysis::Resolved& resolved);

}  // namespace ridge::accelerator
