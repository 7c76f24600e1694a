import { describe, expect, it } from 'vitest'
import type { Case } from './case.ts'
import { runCase } from './run-case.ts'
import { STATES } from './states.ts'
import { WIRE_FORMATS } from './wire-formats.ts'

/** Every state in every format; in the quick count one format each, so that each format has its turn twice. */
function casesOf(cut: Case['cut']): readonly (readonly [string, Case])[] {
  const all = process.env['HOLDFAST_FULL'] !== undefined
  return STATES.flatMap((state, row) =>
    WIRE_FORMATS.filter((_, column) => all || column === (cut === 'stop' ? row : row + 2) % WIRE_FORMATS.length).map(
      (format) => [`${state.name}, ${format.title}`, { cut, state, format }] as const,
    ),
  )
}

describe('a turn with tools over HTTP', { retry: 0 }, () => {
  it.concurrent.each(casesOf('stop'))(
    '[RUN1, STOP1, STOP2, STOP5, STOP6, REQ2, COST1] is stopped and goes on: %s',
    async (_, one) => {
      expect(await runCase(one)).toEqual([])
    },
    90_000,
  )

  it.concurrent.each(casesOf('kill'))(
    '[RUN1, RUN4, RUN14, TOOL6, REQ2, COST1] is killed and goes on: %s',
    async (_, one) => {
      expect(await runCase(one)).toEqual([])
    },
    90_000,
  )
})
