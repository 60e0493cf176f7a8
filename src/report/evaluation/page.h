// SPDX-License-Identifier: Apache-2.0
// The page of `ridge eval`: one self-contained HTML file that opens offline, in the style of a
// profile's page (report/profile/page.h).
//
//   const std::string page = evaluation_page(view);      // report/evaluation/report.h makes it
//
// Sections: the verdict of each runtime with its reasons; all figures side by side, with how each
// is obtained and how far it can be trusted; percentiles against the bound; the distribution;
// latency, waiting and throughput over time; lateness of the generator; the search for the largest
// rate; answers; the application's steps, and what the levels of the trace
// consist of. Sections without data are left out.
//
// Charts draw a bounded number of points (report/evaluation/series.h), so the page does not grow
// with the number of queries. Readable without scripts. Names of models, runtimes, hosts and data
// are untrusted text and escaped. Thread rule: pure. Cost: O(n log n) in the queries.
#pragma once

#include <string>

#include "report/evaluation/view.h"
#include "report/kit/page.h"

namespace ridge::report {

PageContent evaluation_content(const EvaluationView& view);
std::string evaluation_page(const EvaluationView& view);

}  // namespace ridge::report
