// SPDX-License-Identifier: Apache-2.0
#include "sharing/run/client.h"

#include <fmt/format.h>

#include <cstring>

#include "base/clock.h"
#include "base/text.h"
#include "base/version.h"
#include "record/binary.h"
#include "sharing/record/describe_messages.h"
#include "sharing/run/socket_place.h"

namespace ridge::sharing {
namespace {

/// Answers may be long: lists of objects.
constexpr LineLimits kAnswerLimits{.most_payload = std::size_t{4} << 20,
                                   .most_files = Line::kMostFiles};

Error no_answer(Nanos patience) {
  return environment_error("RIDGE-SHARE-0020", "the daemon of ridge share does not answer")
      .evidence(fmt::format("waited {}", duration(patience.count)))
      .hint("ridge share stop ends it");
}

Error no_answer_of_ours() {
  return environment_error("RIDGE-SHARE-0022",
                           "what the daemon of ridge share sends is no message");
}

Error have_to_load(const Ask& ask, Why why) {
  std::string_view meaning;
  for (const Word& w : Words<Why>::list)
    if (w.value == static_cast<std::int64_t>(why)) meaning = w.meaning;
  return environment_error("RIDGE-SHARE-0023", "the model is not leased now")
      .evidence(std::string(meaning))
      .in_file(ask.model);
}

/// The error of a failure; nullopt if it is none.
std::optional<Error> failure_of(const LineFrame& frame) {
  if (frame.kind != MessageKind::kFailure) return std::nullopt;
  auto failure = record::from_binary<Failure>(frame.payload);
  if (!failure || !failure->error) return no_answer_of_ours();
  return std::move(failure->error);
}

/// The number of the question that a frame answers: the first member of every answer.
std::uint64_t question_of(const LineFrame& frame) {
  std::uint64_t out = 0;
  if (frame.payload.size() >= sizeof out) std::memcpy(&out, frame.payload.data(), sizeof out);
  return out;
}

template <typename T>
Result<T> read_answer(const LineFrame& frame, MessageKind::Value kind) {
  if (auto failed = failure_of(frame)) return std::move(*failed);
  if (frame.kind != kind) return no_answer_of_ours();
  auto out = record::from_binary<T>(frame.payload);
  if (!out) return no_answer_of_ours();
  return std::move(*out);
}

}  // namespace

Error Client::lost() const {
  if (line_.state() == Line::State::kGarbage) return no_answer_of_ours();
  return environment_error("RIDGE-SHARE-0021", "the daemon of ridge share has ended")
      .hint("ask again: another is started on demand");
}

Result<LineFrame> Client::frame(Nanos deadline) {
  const Nanos begun = steady_clock().now();
  auto frame = receive_frame(line_, deadline);
  if (frame) return std::move(*frame);
  if (line_.state() == Line::State::kOpen) return no_answer(deadline - begun);
  return lost();
}

Result<Client> Client::connect(const std::string& folder, Nanos patience) {
  Client out(Line(TRY(connect_to(folder)), kAnswerLimits));
  TRY(out.greet(patience));
  return out;
}

Result<void> Client::greet(Nanos patience) {
  line_.send(MessageKind::kHello, record::to_binary(Hello{kProtocol, std::string(version())}));
  const LineFrame got = TRY(frame(steady_clock().now() + patience));
  if (auto failed = failure_of(got)) return std::move(*failed);
  Hello hello;
  std::string_view bytes = got.payload;
  if (got.kind != MessageKind::kHello || !record::take_binary(record::kType<Hello>, bytes, &hello))
    return no_answer_of_ours();
  if (hello.protocol == kProtocol) return {};
  return environment_error("RIDGE-SHARE-0024",
                           fmt::format("the daemon of ridge share is {} than this program",
                                       hello.protocol < kProtocol ? "older" : "newer"))
      .evidence(fmt::format("protocol {} of ridge {} there, protocol {} of ridge {} here",
                            hello.protocol, printable(hello.ridge), kProtocol, version()))
      .hint("end it, and a new one is started");
}

Result<LineFrame> Client::answer(Ask& ask, Nanos patience) {
  ask.id = next_++;
  const Nanos deadline = steady_clock().now() + patience;
  line_.send(MessageKind::kAsk, record::to_binary(ask));
  for (;;) {
    LineFrame got = TRY(frame(deadline));
    const std::uint64_t of = question_of(got);
    if (of == ask.id || of == 0) return got;
    // A lease that came too late for who asked.
    if (got.kind == MessageKind::kGrant)
      if (const auto grant = record::from_binary<Grant>(got.payload)) release(grant->lease);
  }
}

Result<Leased> Client::try_lease(Ask& ask, Nanos patience) {
  LineFrame got = TRY(answer(ask, patience));
  if (got.kind == MessageKind::kLater) {
    const Later later = TRY(read_answer<Later>(got, MessageKind::kLater));
    return Leased{nullptr, have_to_load(ask, later.why)};
  }
  Grant grant = TRY(read_answer<Grant>(got, MessageKind::kGrant));
  return Leased{std::make_unique<Lease>(*this, std::move(grant), std::move(got.files)), {}};
}

Leased Client::lease(Ask ask, Nanos patience) {
  Result<Leased> out = try_lease(ask, patience);
  if (out.ok()) return std::move(*out);
  return Leased{nullptr, std::move(out).error()};
}

Result<Done> Client::order(Ask ask, Nanos patience) {
  const LineFrame got = TRY(answer(ask, patience));
  if (got.kind == MessageKind::kLater)
    return have_to_load(ask, TRY(read_answer<Later>(got, MessageKind::kLater)).why);
  return read_answer<Done>(got, MessageKind::kDone);
}

Result<ShareList> Client::list(Nanos patience) {
  Ask ask{.what = What::kList};
  const LineFrame got = TRY(answer(ask, patience));
  return TRY(read_answer<Listing>(got, MessageKind::kListing)).list;
}

Result<void> Client::wait_for_end(Nanos patience) {
  const Nanos deadline = steady_clock().now() + patience;
  while (receive_frame(line_, deadline)) continue;
  if (line_.state() == Line::State::kOpen) return no_answer(patience);
  return {};
}

/// Its answer is passed over by the next question.
void Client::release(LeaseId lease) {
  const Ask ask{.id = next_++, .what = What::kRelease, .lease = lease};
  line_.send(MessageKind::kAsk, record::to_binary(ask));
  line_.write();
}

}  // namespace ridge::sharing
