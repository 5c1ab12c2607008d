/** Bisections: the bound is then exact to the last digit of a number. */
const STEPS = 60

/**
 * Exact upper bound (Clopper and Pearson, one-sided) of a rate of which `events` were seen in `trials`: with a larger one, so few
 * would be seen in 5 % of such series at most. 1 where nothing was tried.
 */
export function rateUpperBound(events: number, trials: number, confidence = 0.95): number {
  if (events >= trials) return 1
  let [low, high] = [events / trials, 1]
  for (let step = 0; step < STEPS; step++) {
    const middle = (low + high) / 2
    if (atMost(events, trials, middle) > 1 - confidence) low = middle
    else high = middle
  }
  return high
}

/** Probability of at most `events` in `trials` at a rate strictly between 0 and 1. */
function atMost(events: number, trials: number, rate: number): number {
  let logTerm = trials * Math.log1p(-rate)
  let sum = Math.exp(logTerm)
  for (let k = 1; k <= events; k++) {
    logTerm += Math.log((trials - k + 1) / k) + Math.log(rate) - Math.log1p(-rate)
    sum += Math.exp(logTerm)
  }
  return sum
}
