#include "cli/profile_source.h"

#include "base/file.h"
#include "profile/read.h"

namespace ridge::cli {
namespace {

/// A profile of a large model with all its samples; more is no profile of ours.
constexpr std::int64_t kLargestDocument = std::int64_t{256} << 20;

}  // namespace

Result<std::vector<profile::Profile>> load_profiles(const std::string& source) {
  const std::string text = source == "-" ? TRY(read_standard_input(kLargestDocument))
                                         : TRY(read_file(source, kLargestDocument));
  Result<std::vector<profile::Profile>> profiles = profile::read_profiles(text);
  if (!profiles.ok())
    return std::move(profiles).error().in_file(source == "-" ? "standard input" : source);
  return profiles;
}

}  // namespace ridge::cli
