// SPDX-License-Identifier: Apache-2.0
// JSON Schema of a described type, and a page for people: what data/schema and
// docs/reference/schemas.md hold.
//
//   write_schema(kType<Evaluation>, sink);          // data/schema/ridge.evaluation.1.json
//   std::string page = schema_page(kType<Evaluation>);   // a heading and a table of keys
//
// Keys that are always written are required. Of a variant, the keys of all alternatives stand in
// one object, and `kind` alone is required. Thread rule: pure.
#pragma once

#include <string>

#include "base/sink.h"
#include "record/describe.h"

namespace ridge::record {

void write_schema(const Type& type, Sink& sink);

/// Markdown: key (points[].latency.mean_ns; NAME for the keys of a map), type, meaning.
std::string schema_page(const Type& type);

}  // namespace ridge::record
