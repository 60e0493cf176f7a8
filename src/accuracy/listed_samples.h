// SPDX-License-Identifier: Apache-2.0
// Samples whose answers are worth a look: those that get different classes from several runtimes,
// and those that all of them give the same wrong class.
//
//   const ListedSamples listed = listed_samples({&first, &second}, labels);
//
// Thread rule: pure. Cost: O(samples x runtimes).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ridge::accuracy {

/// At most so many samples of each kind are listed.
inline constexpr std::size_t kMaxListed = 50;

struct ListedSamples {
  std::size_t samples = 0;  ///< number that was compared
  std::size_t differ = 0, wrong = 0;
  std::vector<std::size_t> differing, mistaken;  ///< the first ones of these
};

/// `predicted`: for each runtime the class of each sample; `labels`: true classes, empty where they
/// are unknown. Borrows both.
ListedSamples listed_samples(const std::vector<const std::vector<std::int64_t>*>& predicted,
                             const std::vector<std::int64_t>& labels);

}  // namespace ridge::accuracy
