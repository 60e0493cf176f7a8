// SPDX-License-Identifier: Apache-2.0
// The API as an OpenAPI 3.1 document, made of the table of routes and the descriptions of what they
// take and answer: data/schema/openapi.json.
#pragma once

#include <string>

namespace ridge::lab::serve {

/// JSON with a line end. Thread rule: pure. Cost: some milliseconds.
std::string openapi_document();

}  // namespace ridge::lab::serve
