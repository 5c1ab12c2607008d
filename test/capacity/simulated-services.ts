/** Services without sockets or time: what a step at a rate would show of them. */
import type { Step, StepVerdict } from '../../harness/capacity/search.ts'

/** The verdict of a step on a service; `attempt` counts the steps so far. */
export type SimulatedService = (step: Step, attempt: number) => StepVerdict

/** Holds up to a rate and not beyond. */
export function hardCeiling(ceilingPerSecond: number): SimulatedService {
  return ({ ratePerSecond }) => (ratePerSecond <= ceilingPerSecond ? 'good' : 'bad')
}

/** Waiting time of a queue with several servers and random arrivals (Erlang C), held against a goal. */
export function queue(
  servers: number,
  serviceSeconds: number,
  latencySecondsMax: number,
): SimulatedService {
  return ({ ratePerSecond }) => {
    const latencySeconds = latencyP99Seconds(servers, serviceSeconds, ratePerSecond)
    return latencySeconds <= latencySecondsMax ? 'good' : 'bad'
  }
}

/** 99 % of the waits end by then; infinite where more arrives than is served. */
export function latencyP99Seconds(
  servers: number,
  serviceSeconds: number,
  ratePerSecond: number,
): number {
  const offered = ratePerSecond * serviceSeconds
  if (offered >= servers) return Infinity
  const waiting = erlangC(servers, offered)
  const drainPerSecond = servers / serviceSeconds - ratePerSecond
  const waitSeconds = waiting <= 0.01 ? 0 : Math.log(waiting / 0.01) / drainPerSecond
  return serviceSeconds + waitSeconds
}

/** Probability that an arrival has to wait, by the recurrence of Erlang B. */
function erlangC(servers: number, offered: number): number {
  let blocked = 1
  for (let count = 1; count <= servers; count++)
    blocked = (offered * blocked) / (count + offered * blocked)
  return (servers * blocked) / (servers - offered * (1 - blocked))
}

/** Gives another verdict than the service's in the attempts that `isDisturbed` names. */
export function disturbed(
  service: SimulatedService,
  isDisturbed: (attempt: number) => StepVerdict | undefined,
): SimulatedService {
  return (step, attempt) => isDisturbed(attempt) ?? service(step, attempt)
}

/** Nothing can be measured above a rate: the generator is at its end. */
export function weakGenerator(
  service: SimulatedService,
  measurablePerSecond: number,
): SimulatedService {
  return (step, attempt) =>
    step.ratePerSecond > measurablePerSecond ? 'inconclusive' : service(step, attempt)
}
