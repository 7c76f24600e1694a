import type { Entry } from '@holdfast/conversation'
import { says } from '@holdfast/engine/testing'
import type { CallEffect } from '@holdfast/tool'
import { expect, it, vi } from 'vitest'
import { openHarness } from './support/harness.ts'
import { calls, testTool } from './support/tools.ts'

const changed = (path: string): CallEffect => ({ type: 'files-changed', changes: [{ path, kind: 'deleted' }] })
const saved = (text: string): CallEffect => ({ type: 'memory-changed', memoryId: text, agentId: null, text })
const readOf = (path: string): CallEffect => ({ type: 'strangers-read', files: [path] })
const call = (callId: string) => ({ callId, name: 'look', input: { path: `/folder/${callId}` } })

/** What the log says of the effects of each call. */
function effectsIn(log: readonly Entry[]) {
  return log.flatMap((entry) => {
    switch (entry.type) {
      case 'files-changed':
        return [[entry.callId, ...entry.changes.map(({ path }) => path)]]
      case 'memory-changed':
        return [[entry.callId, entry.text]]
      case 'tool-call-settled':
        return [[entry.callId, entry.outcome, ...(entry.strangers ?? [])]]
      default:
        return []
    }
  })
}

it('[TOOL4, TOOL7] keeps the effects of two calls that run side by side apart, in the order of each', async () => {
  const look = testTool({ name: 'look', category: 'read', waits: true })
  const harness = await openHarness([calls(call('c1'), call('c2')), says('Done')], [look.tool])
  await harness.send('Hi', 'send_1')
  await vi.waitFor(() => expect(look.contexts).toHaveLength(2))
  const [one, two] = look.contexts
  one?.report(changed('one-a'))
  two?.report(changed('two-a'))
  two?.report(saved('two'))
  one?.report(readOf('one.html'))
  one?.report(changed('one-b'))
  two?.report(readOf('two.html'))
  look.finish('seen')
  await harness.until('run-finished', 1)
  const entries = effectsIn(await harness.log())
  expect(entries.filter(([callId]) => callId === 'c1')).toEqual([
    ['c1', 'ok', 'one.html'],
    ['c1', 'one-a', 'one-b'],
  ])
  expect(entries.filter(([callId]) => callId === 'c2')).toEqual([
    ['c2', 'ok', 'two.html'],
    ['c2', 'two-a'],
    ['c2', 'two'],
  ])
})

it('[TOOL4, WS1, LOG3] has what a call did that timed out after it, and at once what it does later', async () => {
  const look = testTool({ name: 'look', category: 'read', waits: true })
  const harness = await openHarness([calls(call('c1')), says('Done')], [look.tool])
  await harness.send('Hi', 'send_1')
  await vi.waitFor(() => expect(look.contexts).toHaveLength(1))
  look.contexts[0]?.report(changed('in-time'))
  look.contexts[0]?.report(saved('in time'))
  await harness.clock.advance(122_000)
  await harness.until('run-finished', 1)
  const inTime = [
    ['c1', 'timed-out'],
    ['c1', 'in-time'],
    ['c1', 'in time'],
  ]
  expect(effectsIn(await harness.log())).toEqual(inTime)
  look.contexts[0]?.report(changed('late'))
  await harness.until('files-changed', 2)
  expect(effectsIn(await harness.log())).toEqual([...inTime, ['c1', 'late']])
  expect(await harness.types()).not.toContain('tool-result-late')
  await harness.engine.close()
})
