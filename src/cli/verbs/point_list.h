// SPDX-License-Identifier: Apache-2.0
// The list that --dry-run of verbs with one model prints: ridge.points/1.
#pragma once

#include "cli/document.h"
#include "session/point_list.h"

namespace ridge::cli {

extern const Document<const session::PointList&> kPointListDocument;

}  // namespace ridge::cli
