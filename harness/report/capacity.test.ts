import { describe, expect, it } from 'vitest'
import { recordOf, simulatedCapacity } from '../../test/capacity/sample-capacity.ts'
import type { Capacity } from '../../schemas/generated/run-record.ts'
import { schemaComplaints } from '../record/write.ts'
import { capacityPlot } from './shared/capacity-plot.ts'
import { renderConsole } from './console.ts'
import { renderHtml } from './html.ts'
import { renderMarkdown } from './markdown.ts'

const SERVICE = { workers: 4, serviceMs: 10 }

async function found(): Promise<Capacity> {
  return simulatedCapacity(SERVICE)
}

function count(text: string, part: string): number {
  return text.split(part).length - 1
}

describe('a search for capacity in the report', () => {
  it('holds against the schema', async () => {
    expect(schemaComplaints(recordOf(await found()))).toEqual([])
  })

  it('says rate, interval and constraint before anything else on a terminal', async () => {
    const capacity = await found()
    const lines = renderConsole(recordOf(capacity), { colour: false }).split('\n')
    expect(lines[0]).toContain(capacity.reason)
    expect(lines[2]).toMatch(
      /capacity: \d+ requests per second \(\d+\/s held, \d+\/s did not\); binding: service/,
    )
    expect(lines.length).toBeLessThanOrEqual(25)
    expect(lines.some((line) => line.includes('✓ good confirm'))).toBe(true)
  })

  it('says in the headline how many tries held, where there were several', async () => {
    const capacity = await found()
    const { steps, capacityPerSecond } = capacity
    const confirmed = steps.findLast(({ verdict }) => verdict === 'good')
    const missed = { ...confirmed, verdict: 'bad' } as (typeof steps)[number]
    const record = recordOf({ ...capacity, steps: [...steps, missed, missed] })
    const headline = `${capacityPerSecond} requests per second, held in 1 of 3 tries`
    expect(renderConsole(record, { colour: false })).toContain(`capacity: ${headline} (`)
    expect(renderHtml(record)).toContain(`<p class="capacity-figure">${headline}</p>`)
  })

  it('draws every step, and the interval of the knee', async () => {
    const capacity = await found()
    const plot = capacityPlot(capacity).text
    const { steps } = capacity
    const marks = (verdict: string, name: string): [number, number] => [
      count(plot, `class="${name}"`),
      // Once against what was achieved, once against the latency.
      2 * steps.filter((step) => step.verdict === verdict).length,
    ]
    for (const [verdict, name] of [
      ['good', 'mark-good'],
      ['bad', 'mark-bad'],
    ] as const) {
      const [drawn, expected] = marks(verdict, name)
      expect(drawn).toBe(expected)
      expect(drawn).toBeGreaterThan(0)
    }
    expect(count(plot, 'class="knee-band"')).toBe(1)
    expect(plot).toContain(`knee ${capacity.interval.goodPerSecond} to`)
    expect(plot).not.toMatch(/NaN|Infinity|undefined/)
  })

  it.each<[string, Partial<Capacity>]>([
    ['nothing measured', { steps: [], interval: {} }],
    ['no rate confirmed', { interval: { badPerSecond: 40 } }],
    ['nothing missed', { interval: { goodPerSecond: 300 }, ending: 'at-least' }],
  ])('draws %s', async (_, more) => {
    const capacity = { ...(await found()), ...more }
    expect(capacityPlot(capacity).text).not.toMatch(/NaN|Infinity|undefined/)
  })

  it('draws steps in which nothing was achieved', async () => {
    const capacity = await found()
    const steps = capacity.steps.map((step) => ({
      ...step,
      achievedPerSecond: 0,
      admitted: { count: 0, msP50: 0, msP95: 0, msP99: 0, msP999: 0, msMax: 0 },
    }))
    expect(capacityPlot({ ...capacity, steps }).text).not.toMatch(/NaN|Infinity|undefined/)
  })

  it('stands in the page and in the job summary', async () => {
    const capacity = await found()
    const record = recordOf(capacity)
    const page = renderHtml(record)
    expect(page).toContain('href="#capacity"')
    expect(page).toContain('Binding constraint')
    const summary = renderMarkdown(record)
    expect(summary).toContain('### Capacity')
    expect(count(summary, '\n| narrow |') + count(summary, '\n| ramp |')).toBe(
      capacity.steps.length - 1,
    )
  })
})

it.each([
  [['p95=400ms', 'p99=1000ms', 'errors=0.1%'], 'p95', 400],
  [['max=2000ms'], 'max', 2000],
  [['p99.9=250ms', 'p99.9=300ms'], 'p99.9', 250],
])('the latency of a goal is the one that is drawn: %j', async (goals, name, goalMs) => {
  const { text } = capacityPlot({ ...(await found()), goals })
  expect(text).toContain(`${name} of what was admitted`)
  expect(text).toContain(`goal ${name} ${goalMs.toLocaleString('en-US')} ms`)
})
