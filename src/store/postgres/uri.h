// SPDX-License-Identifier: Apache-2.0
// Check of a server's URI before libpq takes it. Thread rule: any thread.
#pragma once

#include <string>

#include "base/result.h"

namespace ridge::store::postgres {

/// Errors, usage class: not a URI of libpq (evidence: its words), or one with a password, which
/// neither the message nor the evidence repeats. Environment class: libpq is absent.
Result<void> check_uri(const std::string& uri);

}  // namespace ridge::store::postgres
