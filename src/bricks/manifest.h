// The document ridge.bricks/1: a plan as JSON, and back.
//
//   write_manifest(plan, sink);
//   Plan same = TRY(read_manifest(text));
//
// The reader is safe on hostile text; its cost is linear. Errors (input class, RIDGE-BRICK-0010): a
// document that is no manifest, is truncated, has values of the wrong type, a key, a file or a
// model twice, an occurrence of a model that it does not have, or a node in two places. A file is a
// name without folders.
#pragma once

#include <string_view>

#include "base/result.h"
#include "base/sink.h"
#include "bricks/plan.h"

namespace ridge::bricks {

/// Name of the manifest in the folder of a plan.
inline constexpr std::string_view kManifestName = "manifest.json";

void write_manifest(const Plan& plan, Sink& sink);
Result<Plan> read_manifest(std::string_view text);

}  // namespace ridge::bricks
