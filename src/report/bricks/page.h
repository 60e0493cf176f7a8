// SPDX-License-Identifier: Apache-2.0
// The page of `ridge bricks`: one self-contained HTML file that opens offline, in the style of a
// profile's page (report/profile/page.h).
//
// Sections: totals; how often pieces repeat inside each model; which pieces two models share, as a
// matrix; what each model adds, in the order of the plan; the bricks with most work; estimates;
// errors of estimates against measured models. Sections without data are left out. Readable without
// scripts. Names of models, files and kernels are untrusted text and escaped.
//
// Cost: O(occurrences * models that share the brick), and O(models^3) up to bricks::kMaxOrdered
// models. Thread rule: pure.
#pragma once

#include <string>

#include "report/bricks/view.h"

namespace ridge::report {

std::string bricks_page(const BricksPage& view);

}  // namespace ridge::report
