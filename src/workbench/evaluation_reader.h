// Reader of the only point of a document that evaluation_document.h wrote, as the store keeps it:
// what tables show of it, and its JSON.
//
//   EvaluatedPoint point = TRY(read_point(document));
//   point.figures.completed.per_s; point.stored              // JSON, written again as it is
//
// Queries are not read back: documents have none. The scenario is that of the request. Errors: input
// class, RIDGE-WB-0166, with the path of the value. Safe on hostile text. Pure.
#pragma once

#include <string_view>

#include "base/result.h"
#include "workbench/evaluated.h"

namespace ridge::workbench {

Result<EvaluatedPoint> read_point(std::string_view document);

}  // namespace ridge::workbench
