// SPDX-License-Identifier: Apache-2.0
// Measuring environment over a verb's console: prints warnings and errors, draws a progress line if
// standard error is a terminal, and stops on Ctrl-C.
//
//   const ConsoleEnvironment environment(console);
//   const session::Series series = TRY(session::measure_series(model, spec, *environment));
//
// Ownership: borrows the console. Thread rule: one thread.
#pragma once

#include <string_view>

#include "cli/console.h"
#include "session/environment.h"

namespace ridge::cli {

class ConsoleEnvironment {
 public:
  explicit ConsoleEnvironment(Console& console);
  ConsoleEnvironment(const ConsoleEnvironment&) = delete;
  ConsoleEnvironment& operator=(const ConsoleEnvironment&) = delete;
  ~ConsoleEnvironment() = default;

  const session::Environment& operator*() const { return environment_; }
  const session::Environment* operator->() const { return &environment_; }

 private:
  class ConsoleNotices : public session::Notices {
   public:
    explicit ConsoleNotices(Console& console) : console_(console) {}
    void warn(std::string_view file, std::string_view text) override;
    void failed(const Error& error) override;
    void status(std::string_view line) override;

   private:
    Console& console_;
  };

  ConsoleNotices notices_;
  Progress progress_;
  session::Environment environment_;
};

}  // namespace ridge::cli
