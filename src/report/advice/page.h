// SPDX-License-Identifier: Apache-2.0
// The page of `ridge advise`: one self-contained HTML file that opens offline, in the style of a
// profile's page (report/profile/page.h).
//
//   const std::string page = advice_page(advised.advice, advised.run, advised.roofs);
//
// Sections: the measured latency beside the bound and what is achievable; the same by module; the
// findings with predicted and achieved gain, their evidence, repair and command; the roofline of
// the run with an arrow per finding; layers; notes. Unknown figures are named so, with the reason
// where there is one.
//
// Large models: only the modules, layers and nodes that matter most are written, and each section
// says how many it leaves out, so the page does not grow with the model. Readable without scripts.
// Names of models, nodes, kernels and hosts are untrusted text and escaped. Thread rule: pure.
// Cost: O(members of layers * findings).
#pragma once

#include <string>

#include "advice/record/advice.h"
#include "profile/profile.h"
#include "roofline/roofs.h"

namespace ridge::report {

/// `run`: the profile that the advice is about; its nodes are the original model's. `roofs`: those
/// that its layers were compared with; without any, the roofline has only bubbles.
std::string advice_page(const advice::Advice& advice, const profile::Profile& run,
                        const roofline::Roofs& roofs);

}  // namespace ridge::report
