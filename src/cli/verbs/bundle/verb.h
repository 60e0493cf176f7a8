// SPDX-License-Identifier: Apache-2.0
// ridge bundle: seals a result with all it takes to repeat it, checks, shows, repeats and compares
// bundles.
#pragma once

#include <string_view>

#include "cli/verb.h"

namespace ridge::cli {

inline constexpr std::string_view kBundleSealExamples =
    "ridge bundle seal runs.db:7 -o r.ridge            # run 7, with its model\n"
    "ridge bundle seal runs.db evaluation:3 -o e.ridge # an evaluation, with its data and labels\n"
    "ridge bundle seal runs.db:7 -o r.ridge --by-reference   # hashes in place of files\n"
    "ridge bundle seal runs.db:7 -o r.ridge --sign ~/.ssh/id_ed25519   # writes r.ridge.sig too\n";
inline constexpr std::string_view kBundleVerifyExamples =
    "ridge bundle verify r.ridge                       # every byte\n"
    "ridge bundle verify r.ridge --signers allowed_signers --signer me@example.org\n";
inline constexpr std::string_view kBundleShowExamples =
    "ridge bundle show r.ridge                         # what it holds\n"
    "ridge bundle show r.ridge --format json\n";
inline constexpr std::string_view kBundleReplayExamples =
    "ridge bundle replay r.ridge                       # measures again and judges\n"
    "ridge bundle replay r.ridge --store runs.db       # and stores the new run\n";
inline constexpr std::string_view kBundleDiffExamples =
    "ridge bundle diff a.ridge b.ridge                 # results and what they depend on\n";

Run setup_bundle_seal(Flags& flags);
Run setup_bundle_verify(Flags& flags);
Run setup_bundle_show(Flags& flags);
Run setup_bundle_replay(Flags& flags);
Run setup_bundle_diff(Flags& flags);

}  // namespace ridge::cli
