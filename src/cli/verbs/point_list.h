// SPDX-License-Identifier: Apache-2.0
// What --dry-run of the verbs that take one model prints: ridge.points/1.
#pragma once

#include "cli/document.h"
#include "session/point_list.h"

namespace ridge::cli {

extern const Document<const session::PointList&> kPointListDocument;

}  // namespace ridge::cli
