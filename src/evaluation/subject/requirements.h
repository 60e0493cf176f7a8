// SPDX-License-Identifier: Apache-2.0
// Requirements of manifests against this machine.
//
//   for (const RequirementCheck& c : checks_of(requirements, host)) c.what, c.found, c.met
//   TRY(check_requirements(requirements, host));
//
// architecture: x86_64 (amd64) or aarch64 (arm64). isa: sse2, avx, avx2, fma, avx512 and its parts
// f, bw, dq and vl, avx512_vnni, avx512_bf16, avx_vnni, amx_int8; others are not met. memory: that
// of the machine, or of its control group. cores: those that this process may use. device: cpu.
// Errors: RIDGE-WB-0194 (environment class). Pure functions.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "machine/host.h"
#include "manifest/manifest.h"

namespace ridge::evaluation {

struct RequirementCheck {
  std::string what;  ///< "architecture", "isa", "memory", "cores", "device"
  std::string wanted, found;
  bool met = false;

  bool operator==(const RequirementCheck&) const = default;
};

/// A check for each value that is stated, in the order above.
std::vector<RequirementCheck> checks_of(const manifest::Requirements& requirements,
                                        const machine::Host& host);

Result<void> check_requirements(const manifest::Requirements& requirements,
                                const machine::Host& host);

}  // namespace ridge::evaluation
