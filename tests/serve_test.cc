// SPDX-License-Identifier: Apache-2.0
// A live `ridge serve`, asked over sockets by serve_client.py.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "workplace.h"

namespace ridge::tests {
namespace {

/// Makes lab.db, with three runs of two models.
constexpr std::string_view kStore =
    "ridge runs add lab.db ort.json openvino.json run.json >/dev/null\n";

/// Text that the client prints of a case.
std::string said_in(std::string_view name) {
  const Workplace place;
  const Outcome o =
      place.run(fmt::format("{}python3 '{}' {} lab.db", kStore,
                            (source_tree() / "tests/serve_client.py").string(), name));
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_EQ(o.err, "");
  return o.out;
}

TEST(Serve, LogsABrowserInOnce) {
  EXPECT_EQ(said_in("login"), R"(before: 401
once: 303 / ridge-PORT=SECRET; Path=/; HttpOnly; SameSite=Strict
with the cookie: 200
twice: 403 RIDGE-SERVE-0017
another key: True 303
end: 0
)");
}

TEST(Serve, ShowsPagesWithoutInlineScripts) {
  EXPECT_EQ(said_in("pages"), R"(/ 200 text/html 
/runs/1 200 text/html 
/evaluations 200 text/html 
/compare?runs=1&runs=2 200 text/html 
/compare?runs=1,2 200 text/html 
/grid 200 text/html 
/hosts 200 text/html 
/models 200 text/html 
/jobs 200 text/html 
/style.css 200 text/css 
/report.js 200 text/javascript 
/serve.js 200 text/javascript 
/runs/99 404 text/html 
/nothing 404 text/html 
HEAD 200 0
Content-Security-Policy: default-src 'none';
  script-src 'self';
  style-src 'self' 'sha256-bM5S0OHep1Ar7CoOSPd/UH1bW+rmGSHbJEr1ax4Wtu8=';
  style-src-attr 'unsafe-inline';
  img-src 'self' data:;
  connect-src 'self';
  form-action 'self';
  base-uri 'none';
  frame-ancestors 'none'
X-Content-Type-Options: nosniff
Cache-Control: no-store
Referrer-Policy: no-referrer
)");
}

TEST(Serve, AnswersWithTheDocumentsOfTheVerbs) {
  EXPECT_EQ(said_in("api"), R"(runs: True True
run: True
run: True
run: True
evaluations: True
compare: True
grid: True
limit=1 3 [3]
limit=1&offset=1 3 [2]
model=before 1 [3]
model=nothing 0 []
threads=1,2 3 [3, 2, 1]
runtime=ort&limit=1 2 [3]
host=&model= 3 [3, 2, 1]
since_s=1 3 [3, 2, 1]
before_s=1 0 []
limit=0 400 RIDGE-REC-0009 'limit' cannot be '0': integer from 1 to 1000 expected
limit=1001 400 RIDGE-REC-0009 'limit' cannot be '1001': integer from 1 to 1000 expected
offset=-1 400 RIDGE-REC-0009 'offset' cannot be '-1': integer from 0 to 1099511627776 expected
limit=x 400 RIDGE-REC-0009 'limit' cannot be 'x': integer from 1 to 1000 expected
unknown=1 400 RIDGE-REC-0003 unknown key 'unknown'
threads=a 400 RIDGE-REC-0009 'threads' cannot be 'a': integer from 0 to 4294967295, separated by commas, expected
since_s=1e3 400 RIDGE-REC-0009 'since_s' cannot be '1e3': integer expected
/api/v1/runs/99 404 RIDGE-STORE-0010
/api/v1/runs/0 404 RIDGE-SERVE-0020
/api/v1/runs/x 404 RIDGE-SERVE-0020
/api/v1/runs/99999999999999999999 404 RIDGE-SERVE-0020
/api/v1/evaluations/99 404 RIDGE-STORE-0011
/api/v1/compare?runs=1 400 RIDGE-REC-0009
/api/v1/compare?runs=1,99 404 RIDGE-STORE-0010
/api/v2/runs 404 RIDGE-SERVE-0020
/api/v1/models/..%2f..%2fetc%2fpasswd 400 RIDGE-SERVE-0010
POST 405 RIDGE-SERVE-0022 GET
DELETE 405 RIDGE-SERVE-0022 GET
hosts: True
)");
}

TEST(Serve, RefusesPathsHostsAndPagesOfOthers) {
  EXPECT_EQ(said_in("refused"), R"(GET /../etc/passwd: 400 RIDGE-SERVE-0010
GET /%2e%2e/etc/passwd: 400 RIDGE-SERVE-0010
GET /..%2f..%2fetc/passwd: 400 RIDGE-SERVE-0010
GET /%252e%252e/etc/passwd: 400 RIDGE-SERVE-0010
GET /%c0%ae%c0%ae/etc/passwd: 400 RIDGE-SERVE-0010
GET /..\etc\passwd: 400 RIDGE-SERVE-0010
GET /%5c..%5cetc: 400 RIDGE-SERVE-0010
GET //etc/passwd: 400 RIDGE-SERVE-0010
GET /a%00: 400 RIDGE-SERVE-0010
GET /%: 400 RIDGE-SERVE-0010
GET /a%0d%0aSet-Cookie:x: 400 RIDGE-SERVE-0010
GET /aaaaaaaaaaaaaaaaaaaaaaaaaaaaa: 400 RIDGE-SERVE-0010
GET http://evil.example/: 400 RIDGE-SERVE-0010
GET *: 400 RIDGE-SERVE-0010
GET / ['Host: evil.example']: 421 RIDGE-SERVE-0013
GET / ['Host: evil.example:PORT']: 421 RIDGE-SERVE-0013
GET / ['Host: 127.0.0.1']: 421 RIDGE-SERVE-0013
GET / ['Host:']: 421 RIDGE-SERVE-0013
GET / ['Host: 127.0.0.1:PORT', 'Host: 127.0.0.1:PORT']: 421 RIDGE-SERVE-0013
GET / ['Host: 127.0.0.1:PORT', 'Origin: http://evil.example']: 403 RIDGE-SERVE-0014
GET / ['Host: 127.0.0.1:PORT', 'Origin: null']: 403 RIDGE-SERVE-0014
GET / ['Host: 127.0.0.1:PORT', 'Origin: http://127.0.0.1:PORT']: 200
no cookie: 401 RIDGE-SERVE-0015
another's cookie: 401 RIDGE-SERVE-0015
POST ['Content-Type: application/x-www-form-urlencoded', 'Content-Length: 0']: 403 RIDGE-SERVE-0016
POST ['Content-Length: 0', 'Origin: http://evil.example']: 403 RIDGE-SERVE-0014
POST ['Content-Length: 0', 'Sec-Fetch-Site: cross-site', 'X-Ridge-Request: 1']: 403 RIDGE-SERVE-0014
POST ['Content-Length: 0', 'X-Ridge-Request: 1']: 405 RIDGE-SERVE-0022
'TRACE': 405 RIDGE-SERVE-0021
'OPTIONS': 405 RIDGE-SERVE-0021
'CONNECT': 405 RIDGE-SERVE-0021
'PUT': 405 RIDGE-SERVE-0021
'PATCH': 405 RIDGE-SERVE-0021
'get': 405 RIDGE-SERVE-0021
'\x01': 405 RIDGE-SERVE-0021
still: 200
)");
}

TEST(Serve, EndsWhatIsTooLargeAndAnswersBesideHalfRequests) {
  EXPECT_EQ(said_in("limits"), R"(200,000 headers: 431
a long header: 431
headers without end: 431
a body of 8 MiB: 413 RIDGE-SERVE-0018
of -1: 400
8 chunks of 1 MiB: ended
no HTTP: ended
beside 300 half requests: 200
after: 200 0
)");
}

TEST(Serve, TakesATokenOfPrograms) {
  EXPECT_EQ(said_in("token"), R"(right: 200
wrong: 401
application/openmetrics-text; version=1.0.0; charset=utf-8
ridge_store_runs 3
ridge_store_evaluations 0
# EOF
)");
}

TEST(Serve, AnswersAsItsDescriptionSays) {
  EXPECT_EQ(said_in("openapi"), R"(GET /api/v1/runs 200 True True
GET /api/v1/runs/{run} 200 True True
GET /api/v1/evaluations 200 True True
GET /api/v1/evaluations/{evaluation} 404 True True
GET /api/v1/compare 200 True True
GET /api/v1/grid 200 True True
GET /api/v1/hosts 200 True True
GET /api/v1/models 200 True True
GET /api/v1/jobs 200 True True
POST /api/v1/jobs 403 True True
GET /api/v1/jobs/{job} 404 True True
DELETE /api/v1/jobs/{job} 403 True True
GET /api/v1/jobs/{job}/events 404 True True
GET /api/v1/openapi.json 200 True True
GET /metrics 200 True True
)");
}

TEST(ServeSlow, StartsOneMeasurementOfNamesAlone) {
  if (!has_runtime()) GTEST_SKIP() << "no runtimes in this build";
  EXPECT_EQ(said_in("jobs"), R"(without --allow-run: 400 RIDGE-SERVE-0037
no header: 403 RIDGE-SERVE-0016
{'model': '/etc/passwd'} 400 RIDGE-SERVE-0031
{'model': '../net.onnx'} 400 RIDGE-SERVE-0031
{'model': 'shufflenet_v2_x0_5'} 400 RIDGE-SERVE-0031
{'runtime': './mine.so'} 400 RIDGE-SERVE-0032
{'data': '/etc'} 400 RIDGE-SERVE-0034
{'store': 'x.db'} 400 RIDGE-SERVE-0034
{'runtime-library': '/x.so'} 400 RIDGE-SERVE-0034
{'arrivals': 'trace:/etc/passwd'} 400 RIDGE-SERVE-0033
{'verb': 'runs'} 400 RIDGE-SERVE-0030
{'no-such': 1} 400 RIDGE-SERVE-0034
no JSON: 400 RIDGE-REC-0001
one: 1 another: 409 RIDGE-SERVE-0035
cancel: 200
last event: ended canceled 130
none: 404 RIDGE-SERVE-0036
listed: [(1, 'eval', 'canceled')]
page: 200
end: 0
)");
}

TEST(ServeSlow, KeepsEveryOptionAsItWasAsked) {
  if (!has_runtime()) GTEST_SKIP() << "no runtimes in this build";
  EXPECT_EQ(said_in("options"), R"(server ended done zoo:shufflenet_v2_x0_5 as asked
seeds {'inputs': '9', 'schedule': '9'}
closed-loop ended done zoo:shufflenet_v2_x0_5 as asked
multi-stream ended done zoo:shufflenet_v2_x0_5 as asked
)");
}

TEST(ServeBrowserSlow, RunsTheScriptsOfPagesUnderTheirPolicy) {
  if (Workplace().run("command -v chromium").status != 0) GTEST_SKIP() << "no chromium";
  EXPECT_EQ(said_in("browser"), R"(/ sortable: True rows: 3 Runs
/?model=before sortable: True rows: 1 Runs
/runs/1 sortable: True rows: 0 model.onnx
/compare?runs=1,2 sortable: True rows: 0 model.onnx
/grid sortable: True rows: 0 model x host
/jobs sortable: False rows: 0 Measure
end: 0
)");
}

TEST(Serve, ShowsModelsOfTheRegistryWithoutTheirPlace) {
  const Workplace place;
  const Outcome o = place.run(fmt::format(
      "{}ridge registry add plain.onnx --kind model --name net --version 1.0.0 --registry reg "
      ">/dev/null\npython3 '{}' models lab.db reg",
      kStore, (source_tree() / "tests/serve_client.py").string()));
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_TRUE(o.out.ends_with("path: False\npage: True\n")) << o.out;
  EXPECT_TRUE(has(o.out, R"("models":[)")) << o.out;
}

std::string refusal(const std::string& flags) {
  const Workplace place;
  const Outcome o = place.run(std::string(kStore) + "ridge serve lab.db " + flags);
  return fmt::format("{}{}", o.err, o.status);
}

TEST(Serve, ListensForOthersWithATokenAlone) {
  EXPECT_EQ(refusal("--listen 0.0.0.0"),
            "error: other machines can reach 0.0.0.0\n"
            "  hint: --token-file FILE says who may ask; or listen on 127.0.0.1, and use ssh -L\n"
            "  [RIDGE-SERVE-0005]\n2");
  EXPECT_EQ(refusal("--listen ::"),
            "error: other machines can reach ::\n"
            "  hint: --token-file FILE says who may ask; or listen on 127.0.0.1, and use ssh -L\n"
            "  [RIDGE-SERVE-0005]\n2");
  EXPECT_EQ(refusal("--listen lab"),
            "error: 'lab' is no address\n"
            "  hint: write an address of IPv4 or IPv6, such as 127.0.0.1\n"
            "  [RIDGE-SERVE-0003]\n2");
}

TEST(Serve, RefusesATokenThatOthersMayRead) {
  const Workplace place;
  const Outcome o = place.run(std::string(kStore) +
                              "echo 0123456789abcdef >token; chmod 644 token\n"
                              "ridge serve lab.db --token-file token");
  EXPECT_EQ(o.status, 4);
  EXPECT_EQ(o.err,
            "error: token: others may read or change the token\n  hint: chmod 600 token\n"
            "  [RIDGE-SERVE-0007]\n");
}

TEST(Serve, RefusesAShortToken) {
  const Workplace place;
  const Outcome o = place.run(std::string(kStore) +
                              "echo 0123 >token; chmod 600 token\n"
                              "ridge serve lab.db --token-file token");
  EXPECT_EQ(o.status, 2);
  EXPECT_EQ(o.err,
            "error: a token of 4 characters\n  hint: let it have 16 or more: openssl rand -hex 32\n"
            "  [RIDGE-SERVE-0006]\n");
}

TEST(Serve, NeedsAStore) {
  const Workplace place;
  const Outcome o = place.run("ridge serve absent.db");
  EXPECT_EQ(o.status, 4) << o.err;
}

/// Python with the packages of scripts/fetch_openapi.sh; RIDGE_OPENAPI names another folder.
std::string python_of_openapi() {
  if (const char* folder = std::getenv("RIDGE_OPENAPI")) return std::string(folder) + "/bin/python";
  const char* cache = std::getenv("XDG_CACHE_HOME");
  const char* home = std::getenv("HOME");
  const std::string folder = cache != nullptr ? cache : fmt::format("{}/.cache", home ? home : "");
  return folder + "/ridge/openapi/current/bin/python";
}

TEST(Serve, DescribesItselfInValidOpenApi) {
  const std::string python = python_of_openapi();
  if (!std::filesystem::exists(python)) GTEST_SKIP() << "scripts/fetch_openapi.sh has not run";
  const Workplace place;
  const Outcome o = place.run("ridge help schemas openapi >openapi.json\n" + python +
                              " -m openapi_spec_validator openapi.json");
  EXPECT_EQ(o.status, 0) << o.out << o.err;
  EXPECT_EQ(o.out, "openapi.json: OK\n");
}

}  // namespace
}  // namespace ridge::tests
