import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Queue } from './queue.ts'

test('is what an array is, however often its front is dropped', () => {
  const steps = fc.array(fc.tuple(fc.nat({ max: 3000 }), fc.nat({ max: 3000 })), { maxLength: 12 })
  fc.assert(
    fc.property(steps, fc.nat(), (runs, start) => {
      const queue = new Queue<number>()
      const model: number[] = []
      let next = 0
      for (const [pushes, shifts] of runs) {
        for (let push = 0; push < pushes; push++, next++) {
          queue.push(next)
          model.push(next)
        }
        for (let shift = 0; shift < shifts; shift++) queue.shift()
        model.splice(0, shifts)
        expect(queue.length).toBe(model.length)
        expect([queue.at(-1), queue.at(0), queue.at(start)]).toEqual([
          undefined,
          model[0],
          model[start],
        ])
        expect(queue.slice(3, 9)).toEqual(model.slice(3, 9))
        expect(queue.slice(0)).toEqual(model)
      }
    }),
    { numRuns: 30 },
  )
})
