// SPDX-License-Identifier: Apache-2.0
#include "lab/serve/trial/request.h"

#include <fmt/format.h>

#include <utility>

#include "base/text.h"
#include "lab/serve/job_request.h"
#include "lab/serve/trial/base64.h"
#include "lab/serve/trial/describe.h"
#include "record/json_read.h"

namespace ridge::lab::serve {
namespace {

struct FileKind {
  SampleKind kind;
  std::string_view begin, ending;
};
constexpr FileKind kFiles[] = {{SampleKind::kPicture, "\x89PNG\r\n\x1a\n", ".png"},
                               {SampleKind::kPicture, "\xff\xd8\xff", ".jpg"},
                               {SampleKind::kTensor, "\x93NUMPY", ".npy"}};

Result<std::string> ending_of(SampleKind kind, std::string_view bytes) {
  if (kind == SampleKind::kText) {
    if (bytes.size() <= kLongestText && valid_utf8(bytes) == bytes) return std::string(".txt");
    return input_error("RIDGE-SERVE-0056",
                       bytes.size() > kLongestText
                           ? fmt::format("the text has {} bytes, the limit is {}", bytes.size(),
                                         kLongestText)
                           : std::string("the text is not UTF-8"))
        .hint("kind: text takes UTF-8 of at most 1 MiB");
  }
  for (const FileKind& file : kFiles)
    if (file.kind == kind && bytes.starts_with(file.begin)) return std::string(file.ending);
  return input_error("RIDGE-SERVE-0051", kind == SampleKind::kPicture
                                             ? "the sample is neither a JPEG nor a PNG file"
                                             : "the sample is no .npy file")
      .hint("kind: picture takes a JPEG or PNG file, tensor what numpy.save() writes, text UTF-8");
}

}  // namespace

Result<TrialSetup> read_trial_request(std::string_view body, const std::string& registry) {
  using record::Reading;
  auto request = TRY(record::read_json<TrialRequest>(
      body, {.of = Reading::Of::kPeople, .limits = {.bytes = kTrialRequestBytes}}));
  for (const std::string& model : request.models)
    TRY_IN("models", check_model_name(model, "eval", registry));
  for (const std::string& runtime : request.runtimes)
    TRY_IN("runtimes", check_runtime_name(runtime));
  auto bytes = decode_base64(request.sample.data);
  if (!bytes)
    return input_error("RIDGE-SERVE-0050", "the sample's data is not base64")
        .hint("base64 of RFC 4648, section 4, padded, without line ends: base64 -w0 FILE");
  if (request.runtimes.empty()) request.runtimes.emplace_back();
  TrialSetup out;
  out.ending = TRY(ending_of(request.sample.kind, *bytes));
  out.models = std::move(request.models);
  out.runtimes = std::move(request.runtimes);
  out.kind = request.sample.kind;
  out.name = std::move(request.sample.name);
  out.bytes = std::move(*bytes);
  return out;
}

}  // namespace ridge::lab::serve
