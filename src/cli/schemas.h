// SPDX-License-Identifier: Apache-2.0
// Documents that ridge writes, from their descriptions (record/describe.h): `ridge help schemas`.
//
//   std::string page = schemas_page();                   // docs/reference/schemas.md
//   std::string schema = TRY(schema_of("ridge.profile/1"));   // data/schema/ridge.profile.1.json
//
// Thread rule: pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "record/type.h"

namespace ridge::cli {

/// Every document, by name.
std::vector<const record::Type*> documents();

/// Markdown: for each document a table of its keys.
std::string schemas_page();

/// JSON Schema of a document, or for "openapi" the OpenAPI document of the server. Errors: usage,
/// RIDGE-CLI-0005, with similar names.
Result<std::string> schema_of(std::string_view name);

}  // namespace ridge::cli
