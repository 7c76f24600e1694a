import { setImmediate } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'

/** So often others have their turn until the schema of schemas is compiled: more than it has parts. */
const TURNS = 20

function cpuMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(since)
  return (user + system) / 1_000
}

it('[TOOL20] the first call of a tool with a JSON schema compiles that schema alone: the schema of schemas was prepared, in parts', async () => {
  // A process prepares once; another test may have been the first here.
  vi.resetModules()
  const { toolOf } = await import('@holdfast/tool')
  const parameters = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] }
  const tool = toolOf({ name: 'first', description: '', parameters }, () => '')
  const parts: number[] = []
  for (let turn = 0; turn < TURNS; turn++) {
    const begun = process.threadCpuUsage()
    await setImmediate()
    parts.push(cpuMs(begun))
  }
  const begun = process.threadCpuUsage()
  expect(tool.check({ path: 'a' }).type).toBe('valid')
  const first = cpuMs(begun)
  // In one go, with the first schema, all of it is compiled at its call.
  expect(first).toBeLessThan(parts.reduce((sum, one) => sum + one, 0) / 2)
})
