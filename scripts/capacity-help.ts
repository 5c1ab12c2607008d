/** The text of `npm run capacity -- --help`. */
export const CAPACITY_HELP = `Searches for the highest rate of requests at which a target holds its goals: doubling, bisection, a longer step that confirms.

Usage: npm run capacity -- [options]

Clients arrive at planned times whether or not earlier ones are done, over as many accounts as their windows ask for. Each
step is a k6 run of its own. What keeps the rate from going higher is named: service, limiter, cap, generator, …

Goals (each step has to reach all of them)
  --goal p99=200ms            a latency from due to received: p50, p99, p99.9, max, …; repeat it for several (p99=200ms)
  --goal errors=0.1%          largest share of requests without a right answer (0.1%)
  --goal achieved=95%         least share of the offered rate that is answered (95%)
  Always: the median does not grow by more than a tenth of the tightest latency, for a queue that grows misses any in the end
  --min-rate N                the rate that is asked for: decided by itself; missed is exit 1

Search (rates are requests per second)
  --scenario NAME             what clients do: browse, or mixed (seven browse, two buy, one checks a cart out)
  --start-rate N --max-rate N where to begin (100) and to end (5000)
  --precision PERCENT         narrow until the bad rate is at most so much above the good one (20%)
  --step-seconds S            length of a step (3; mixed 8)
  --confirm-seconds S         length of the step that confirms (10; mixed 16)
  --max-steps N --max-seconds S
                              bounds of the whole search: steps (30) and seconds of load (150; mixed 300)
  --max-cpu PERCENT           from so busy a machine on a step decides nothing (95%)
  --plan                      print what the search would take at most, and end; sends the read-only preflight alone

Target (none given: the embedded reference service, with the windows of the interface)
  --target FILE, --base-url URL, --image IMAGE, and the others of npm run gate -- --help
  --show-origins              print every value with where it came from, and end

Permission (not needed on loopback or on a declared sandbox)
  --allow-load --max-requests N, and for mixed --allow-purchases --max-orders N --max-spend CUR:AMOUNT
                              more than the accounts' windows admit is refused anywhere: it would measure the limiter

Embedded service
  --workers N --service-ms MS serve N requests at once, each MS long: a capacity of 1000 * N / MS per second, to try the search on
  --window-seconds S          length of its windows (60); others than 60 have small budgets
  --fault NAME                switch a deliberate defect on (npm run serve -- --list-faults)

  --reports DIR               where runs are written (reports)
  --run-dir DIR               where this run is written, whatever comes of it
  --label NAME=VALUE,…        what the run is about
  --json                      print the verdict as JSON instead of words
  -h, --help

Exit codes
  0 found and confirmed, or the highest rate that was asked for held
  1 the rate asked for with --min-rate is missed, or the service broke a requirement under load
  2 usage, permission or too few accounts, no load sent    3 the environment is not ready
  4 a fault of the harness       6 inconclusive: generator, noise, time
  130/143 interrupted, partial record written

Examples
  npm run capacity                                            the embedded service, about a minute and a half
  npm run capacity -- --workers 1 --service-ms 25 --start-rate 10   a service that can do 40 per second
  npm run capacity -- --goal p99=50ms --goal p99.9=250ms --goal errors=0%
  npm run capacity -- --target staging.target.json --min-rate 200 --max-seconds 300
  npm run capacity -- --target staging.target.json --plan
`
