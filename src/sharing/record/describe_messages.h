// SPDX-License-Identifier: Apache-2.0
// Descriptions of the messages (record/binary.h). A change of any is a new kProtocol (messages.h).
#pragma once

#include <array>

#include "record/describe.h"
#include "runtime/messages.h"
#include "sharing/record/messages.h"

namespace ridge {

template <>
struct record::Describe<sharing::Hello> {
  using T = sharing::Hello;
  static constexpr auto fields = members<&T::protocol, &T::ridge>();
};

template <>
struct record::Describe<sharing::Ask> {
  using T = sharing::Ask;
  static constexpr auto fields = members<&T::id, &T::what, &T::model, &T::level, &T::runtime,
                                         &T::threads, &T::options, &T::lease, &T::wait>();
};

template <>
struct record::Describe<sharing::Grant> {
  using T = sharing::Grant;
  static constexpr auto fields =
      members<&T::id, &T::lease, &T::key, &T::level, &T::hit, &T::bytes, &T::about>();
};

template <>
struct record::Describe<sharing::Later> {
  using T = sharing::Later;
  static constexpr auto fields = members<&T::id, &T::why>();
};

template <>
struct record::Describe<sharing::Failure> {
  using T = sharing::Failure;
  static constexpr std::array fields{member<&T::id>(), member<&T::error, runtime::ErrorCodec>()};
};

template <>
struct record::Describe<sharing::Done> {
  using T = sharing::Done;
  static constexpr auto fields = members<&T::id, &T::done, &T::spared>();
};

template <>
struct record::Describe<sharing::Listing> {
  using T = sharing::Listing;
  static constexpr auto fields = members<&T::id, &T::list>();
};

}  // namespace ridge
