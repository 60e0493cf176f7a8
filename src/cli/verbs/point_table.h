// SPDX-License-Identifier: Apache-2.0
// Table of several points, as bench and roofline print it: the facts that all points share above
// the rows, notes on their inputs below.
//
//   sink.write(point_table(shared, table, notes, TableForm::kMarkdown));
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "export/table.h"

namespace ridge::cli {

enum class TableForm : std::uint8_t { kText, kMarkdown };

/// `shared` may be empty.
std::string point_table(const std::string& shared, const exports::Table& table,
                        const std::vector<std::string>& notes, TableForm form);

}  // namespace ridge::cli
