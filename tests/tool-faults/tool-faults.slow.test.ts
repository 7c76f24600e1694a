import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FAULT_CASES } from './fault-cases.ts'
import { type FaultHost, openFaultHost } from './fault-host.ts'
import { type PlayedCase, playCase } from './play-case.ts'

/** How many conversations are open at once: most of them only wait. */
const AT_ONCE = 8
/** What is promised. */
const FEWEST_CASES = 150

const names = FAULT_CASES.map(({ name }) => name)
const played = new Map(names.map((name) => [name, Promise.withResolvers<PlayedCase>()]))
let folder = ''
let host: FaultHost
let all: Promise<unknown> = Promise.resolve()

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tool-faults-'))
  host = await openFaultHost({ folder, beside: null })
  const waiting = [...FAULT_CASES.entries()]
  const player = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [number, fault] = next
      const result = await playCase(host, { fault, number, folder }).catch((error: unknown) => ({
        name: fault.name,
        problems: [`it could not be played: ${error instanceof Error ? error.message : String(error)}`],
      }))
      played.get(fault.name)?.resolve(result)
    }
  }
  all = Promise.all(Array.from({ length: AT_ONCE }, player))
})

afterAll(async () => {
  await all
  await host.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('has one result for a call, and goes on, where a tool', () => {
  it.each(names)(
    '[TOOL2, TOOL5, TOOL9] %s',
    async (name) => {
      expect((await played.get(name)?.promise)?.problems).toEqual([])
    },
    240_000,
  )
})

it('[TOOL2, TOOL5, TOOL9] has played at least 150 faults of tools and servers, each another one, in one engine that met no fault itself', async () => {
  const results = await Promise.all([...played.values()].map(({ promise }) => promise))
  expect(results.filter(({ problems }) => problems.length === 0).length).toBeGreaterThanOrEqual(FEWEST_CASES)
  expect(new Set(names).size).toBe(FAULT_CASES.length)
  expect(host.faults).toEqual([])
}, 240_000)
