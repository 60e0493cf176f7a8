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
#include "bricks/loader.h"
#include "workbench/advice_budget.h"
#include "workbench/advice_edits.h"
#include "workbench/advice_int8.h"
#include "workbench/advice_price.h"
#include "workbench/advice_request.h"
#include "workbench/advice_ways.h"
#include "workbench/bricks_point.h"
#include "workbench/run_keeper.h"
#include "workbench/workbench.h"

namespace ridge::workbench {

class Advisor {
 public:
  Advisor(const AdviceRequest& request, Workbench& bench, Point point, analysis::Resolved resolved,
          BricksPoint bricks);
  Result<Advised> run();

 private:
  /// A finding and what applies it: an edit, an int8 copy, other options, or nothing.
  struct Candidate {
    advice::Finding finding;
    const AdviceEdit* edit = nullptr;
    std::optional<MeasureSpec> spec = {};

    bool is_int8() const { return finding.id == kInt8; }
    bool can_be_applied() const { return edit != nullptr || spec || is_int8(); }
  };
  using Rules = std::vector<const rewrite::Rule*>;

  const Environment& environment() const { return bench_.environment; }
  std::uint32_t processors() const {
    return static_cast<std::uint32_t>(environment().host.allowed.size());
  }

  Result<void> measure();
  Result<void> read_or_measure(RoofSource& roofs);
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
                advice::Finding& finding) const;
  advice::Finding finding(const AdviceEdit& edit) const;
  void add_other_findings();
  void name_effects();
  Rules together() const;

  bool is_named(const std::string& id) const;  // by --check, and not only by "all"
  bool asked(const Candidate& candidate) const;
  Result<void> check();
  Result<advice::Check> check_of(const Candidate& candidate, std::size_t left);
  Result<advice::Check> check_edits(const Rules& rules,
                                    const std::optional<profile::Estimate>& predicted,
                                    bool binds_sizes);
  Result<advice::Check> compared_only(const Candidate& candidate);
  Result<advice::Check> check_setting(const Candidate& candidate);
  Result<void> keep(const advice::Finding& finding);
  Result<void> keep_joint();
  Result<void> add_confidence();

  const AdviceRequest& request_;
  Workbench& bench_;
  Point point_;
  analysis::Resolved resolved_;
  BricksPoint bricks_;
  bricks::Loader loader_;
  AdviceBudget budget_;
  std::optional<RunKeeper> keeper_;
  std::string run_key_;

  profile::Profile run_;
  roofline::Roofs roofs_;                           // for the threads of the run
  std::optional<double> on_all_ns_, scheduled_ns_;  // SettingFacts
  std::vector<AdviceWay> ways_;
  std::optional<advice::Cover> cover_;
  std::optional<bricks::Network> network_;
  std::vector<AdviceEdit> edits_;
  std::optional<Int8Model> int8_;
  AdvicePrice price_;
  std::vector<Candidate> candidates_;
  advice::Advice out_;
};

}  // namespace ridge::workbench
