// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"

#include "base/text.h"

namespace ridge {

Error::Error(ErrorClass cls, std::string_view code, std::string message)
    : d_(new Detail{cls, std::string(code), std::move(message), {}, {}, {}, {}}) {}

Error::Error(const Error& other) : d_(new Detail(*other.d_)) {}

Error& Error::operator=(const Error& other) {
  if (this != &other) d_.reset(new Detail(*other.d_));
  return *this;
}

Error&& Error::evidence(std::string text) && {
  d_->evidence = std::move(text);
  return std::move(*this);
}

Error&& Error::hint(std::string text) && {
  d_->hint = std::move(text);
  return std::move(*this);
}

Error&& Error::in(std::string_view place) && {
  d_->where = d_->where.empty() ? std::string(place) : std::string(place) + " > " + d_->where;
  return std::move(*this);
}

Error&& Error::in_file(std::string_view path) && {
  if (d_->file.empty()) d_->file = path;
  return std::move(*this);
}

namespace {

/// Maximum length in bytes of one part of a message: names in a file may be arbitrarily long, a
/// message has to fit a screen.
constexpr std::size_t kLongestPart = 1000;

/// Escapes `text` and, if longer than kLongestPart, replaces its middle by an ellipsis.
std::string readable(std::string_view text) {
  std::string out = printable(text);
  if (out.size() <= kLongestPart) return out;
  constexpr std::size_t kKept = kLongestPart / 2;
  // printable() turns a character that the cut splits into \xNN.
  return printable(std::string_view(out).substr(0, kKept)) + "…" +
         printable(std::string_view(out).substr(out.size() - kKept));
}

}  // namespace

std::string Error::summary() const {
  std::string line;
  if (!d_->file.empty()) line += printable(d_->file) + ": ";
  if (!d_->where.empty()) line += readable(d_->where) + ": ";
  return line + readable(d_->message);
}

std::string Error::text(std::string_view severity) const {
  std::string out = std::string(severity) + ": " + summary() + "\n";
  if (!d_->evidence.empty()) out += "  " + readable(d_->evidence) + "\n";
  if (!d_->hint.empty()) out += "  hint: " + readable(d_->hint) + "\n";
  return out + "  [" + d_->code + "]\n";
}

Error input_error(std::string_view code, std::string message) {
  return {ErrorClass::kInput, code, std::move(message)};
}
Error environment_error(std::string_view code, std::string message) {
  return {ErrorClass::kEnvironment, code, std::move(message)};
}
Error usage_error(std::string_view code, std::string message) {
  return {ErrorClass::kUsage, code, std::move(message)};
}
Error bug(std::string message, std::string_view where) {
  return Error(ErrorClass::kBug, "RIDGE-BUG-0001", std::move(message))
      .in(where)
      .hint("this is a defect of ridge; please report it with the command line and the model");
}

}  // namespace ridge
