// SPDX-License-Identifier: Apache-2.0
#include "runtime/messages.h"

namespace ridge::runtime {

std::optional<SentError> ErrorCodec::out(const std::optional<Error>& error) {
  if (!error) return std::nullopt;
  return SentError{error->error_class(), error->code(),     error->message(), error->where(),
                   error->file(),        error->evidence(), error->hint()};
}

Result<std::optional<Error>> ErrorCodec::in(std::optional<SentError> sent) {
  if (!sent) return std::optional<Error>();
  Error error(sent->error_class, sent->code, std::move(sent->message));
  if (!sent->where.empty()) error = std::move(error).in(sent->where);
  return std::optional(std::move(error)
                           .in_file(sent->file)
                           .evidence(std::move(sent->evidence))
                           .hint(std::move(sent->hint)));
}

std::vector<SentMember> MembersCodec::out(const std::vector<InputTensor>& members) {
  std::vector<SentMember> out;
  for (const InputTensor& m : members)
    out.push_back({m.name, m.type, m.dims, m.offset, m.bytes, m.kind});
  return out;
}

std::vector<InputTensor> MembersCodec::in(std::vector<SentMember> sent) {
  std::vector<InputTensor> out;
  for (SentMember& m : sent)
    out.push_back({std::move(m.name), m.type, std::move(m.dims), m.offset, m.bytes, m.kind, {}});
  return out;
}

}  // namespace ridge::runtime
