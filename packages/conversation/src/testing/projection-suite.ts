import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Projection } from '../projection.ts'
import { arbitraryLog } from './arbitrary-log.ts'

/** The laws that every projection keeps. What one projection means is tested beside it. */
export function describeProjection<State>({ name, initial, reduce }: Projection<State>): void {
  describe(`${name} keeps the projection laws`, () => {
    it('[PRJ1] does not depend on how the log is cut into batches', () => {
      fc.assert(
        fc.property(arbitraryLog, fc.array(fc.nat(60), { maxLength: 5 }), (log, cuts) => {
          let state = initial
          const places = [0, ...cuts.map((cut) => Math.min(cut, log.length)).sort((a, b) => a - b), log.length]
          places.forEach((place, index) => {
            state = reduce(state, log.slice(places[index - 1] ?? 0, place))
          })
          expect(state).toEqual(reduce(initial, log))
          expect(log.reduce((one, entry) => reduce(one, [entry]), initial)).toEqual(reduce(initial, log))
        }),
      )
    })

    it('[PRJ1] changes neither the state nor the entries it is given', () => {
      fc.assert(
        fc.property(arbitraryLog, fc.nat(60), (log, cut) => {
          const state = deepFreeze(reduce(initial, log.slice(0, cut)))
          expect(() => reduce(state, deepFreeze(log.slice(cut)))).not.toThrow()
        }),
      )
    })

    it('[PRJ2] goes on from a snapshot as if it had read the whole log', () => {
      fc.assert(
        fc.property(arbitraryLog, fc.nat(60), (log, cut) => {
          const snapshot: State = JSON.parse(JSON.stringify(reduce(initial, log.slice(0, cut))))
          expect(reduce(snapshot, log.slice(cut))).toEqual(reduce(initial, log))
        }),
      )
    })
  })
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const inner of Object.values(value)) deepFreeze(inner)
  }
  return value
}
