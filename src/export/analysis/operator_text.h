// SPDX-License-Identifier: Apache-2.0
// Description of the work that ridge counts for an operator, and the table of all operators.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "export/facts.h"
#include "export/table.h"
#include "ops/operator.h"

namespace ridge::exports {

/// Facts about an operator: versions, formula of the work, bytes, shape rule, folding and an
/// example with its figures. `versions`: the rows of one name, at least one.
Facts operator_facts(std::span<const ops::Operator* const> versions);

/// One row per operator of a domain: name, versions, work, shapes of outputs, bytes read, status.
Table operator_table(std::string_view domain);

/// Table for spreadsheets: one row per operator of all domains.
Table operator_rows();

/// Content of docs/reference/operators.md.
std::string operators_page();

/// "ai.onnx", "com.microsoft": every domain that has operators.
std::vector<std::string_view> operator_domains();
/// Name of a domain; the empty domain is ai.onnx.
std::string_view domain_name(std::string_view domain);

}  // namespace ridge::exports
