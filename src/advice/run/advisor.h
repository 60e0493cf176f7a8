// The steps of a piece of advice (advice.h) on one model: the run, the two figures, the findings,
// their predicted gains, their checks.
//
//   Advisor advisor(request, bench, point, resolved, bricks);
//   const Advised done = TRY(advisor.run());
//
// Ownership: borrows the request and the workbench, whose measuring time it changes. Thread rule:
// one thread.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "advice/cover.h"
#include "advice/record/request.h"
#include "advice/run/alternatives.h"
#include "advice/run/budget.h"
#include "advice/run/edits.h"
#include "advice/run/int8.h"
#include "advice/run/price.h"
#include "bricks/loader.h"
#include "bricks/run/point.h"
#include "session/run_recorder.h"
#include "session/workbench.h"

namespace ridge::advice {

class Advisor {
 public:
  Advisor(const AdviceRequest& request, session::Workbench& bench, session::Point point,
          analysis::Resolved resolved, bricks::BricksPoint bricks);
  Result<Advised> run();

 private:
  /// A finding and what applies it: an edit, an int8 copy, other options, or nothing.
  struct Candidate {
    Finding finding;
    const AdviceEdit* edit = nullptr;
    std::optional<session::MeasureSpec> spec = {};

    bool is_int8() const { return finding.id == kInt8; }
    bool can_be_applied() const { return edit != nullptr || spec || is_int8(); }
  };
  using Rules = std::vector<const rewrite::Rule*>;

  const session::Environment& environment() const { return bench_.environment; }
  std::uint32_t processors() const {
    return static_cast<std::uint32_t>(environment().host.allowed.size());
  }

  Result<void> measure();
  Result<void> read_or_measure(session::RoofSource& roofs);
  void cover();
  void note_what_is_left_alone();

  Result<void> find();
  void schedule();
  std::string why_not(const Candidate& candidate) const;
  void offer(Candidate candidate);
  Result<void> make_int8();
  Result<void> price();
  Result<void> measure_wanted_bricks();
  Result<void> price_joint();
  void set_gain(const bricks::Network& after, const rewrite::Origins& origins,
                Finding& finding) const;
  Finding finding(const AdviceEdit& edit) const;
  void add_other_findings();
  void name_effects();
  Rules together() const;

  bool is_named(const std::string& id) const;  // by --check, and not only by "all"
  bool asked(const Candidate& candidate) const;
  Result<void> check();
  Result<Check> check_of(const Candidate& candidate, std::size_t left);
  Result<Check> check_edits(const Rules& rules, const std::optional<profile::Estimate>& predicted,
                            bool binds_sizes);
  Result<Check> compared_only(const Candidate& candidate);
  Result<Check> check_setting(const Candidate& candidate);
  Result<void> keep(const Finding& finding);
  Result<void> keep_joint();
  Result<void> add_confidence();

  const AdviceRequest& request_;
  session::Workbench& bench_;
  session::Point point_;
  analysis::Resolved resolved_;
  bricks::BricksPoint bricks_;
  bricks::Loader loader_;
  AdviceBudget budget_;
  std::optional<session::RunRecorder> recorder_;
  std::string run_key_;

  profile::Profile run_;
  roofline::Roofs roofs_;                           // for the threads of the run
  std::optional<double> on_all_ns_, scheduled_ns_;  // SettingFacts
  std::vector<AdviceWay> ways_;
  std::optional<Cover> cover_;
  std::optional<bricks::Network> network_;
  std::vector<AdviceEdit> edits_;
  std::optional<Int8Model> int8_;
  AdvicePrice price_;
  std::vector<Candidate> candidates_;
  Advice out_;
};

}  // namespace ridge::advice
