import type { Entry, EntryOf } from '@holdfast/conversation'
import { says } from '@holdfast/engine/testing'
import { describe, expect, it } from 'vitest'
import { type Harness, openHarness } from './support/harness.ts'
import { calls, clientTool, testTool } from './support/tools.ts'

const LEASE_MS = 10_000
const GRACE_MS = 3_000
const actor = { type: 'person', userId: 'user_1' } as const
const twoCalls = calls(
  { callId: 'c1', name: 'local', input: { command: 'rm -rf /' } },
  { callId: 'c2', name: 'local', input: {} },
)
const result = (callId: string, text: string) => ({ callId, text, isError: false, images: [] })

async function open(): Promise<Harness> {
  const harness = await openHarness([twoCalls, says('Done')], [clientTool('local')])
  await harness.send('Work', 'send-1')
  await harness.until('tool-call-started', 2)
  return harness
}

function answer({ engine, conversationId }: Harness, commandId: string, texts: Readonly<Record<string, string>>) {
  const results = Object.entries(texts).map(([callId, text]) => result(callId, text))
  return engine.answerCalls({ commandId, actor, conversationId, results, others: 'leave' })
}

async function settled(harness: Harness) {
  const isSettled = (entry: Entry): entry is Entry & EntryOf<'tool-call-settled'> => entry.type === 'tool-call-settled'
  return (await harness.log()).filter(isSettled).map(({ callId, outcome }) => `${callId} ${outcome}`)
}

describe('calls that a client runs', () => {
  it('[TOOL18] are handed to it together, asked about by nobody here, and the run is parked until all are answered', async () => {
    const harness = await open()
    const started = (await harness.log()).filter(({ type }) => type === 'tool-call-started')
    expect(started).toMatchObject([
      { callId: 'c1', runsAt: 'client', strangers: true },
      { callId: 'c2', runsAt: 'client' },
    ])
    expect(await harness.types()).not.toContain('permission-requested')
    expect(await answer(harness, 'a-1', { c2: 'two' })).toEqual({ accepted: true })
    expect(await answer(harness, 'a-2', { c2: 'another' })).toEqual({ accepted: false })
    expect(harness.model.requests).toHaveLength(1)
    await harness.clock.advance(2_000)
    await answer(harness, 'a-3', { c1: 'one' })
    await harness.until('run-finished', 1)
    const last = JSON.stringify(harness.model.requests[1])
    expect(last).toContain('two')
    expect(last).toContain('one')
    expect(last).not.toContain('another')
    expect(await harness.log()).toContainEqual(expect.objectContaining({ callId: 'c1', durationMs: 2_000 }))
    expect(harness.faults).toEqual([])
  })

  it('[TOOL18, RUN4] outlive the process: another one goes on with what the client sends', async () => {
    const first = await open()
    const second = await first.restart([says('Done')])
    await second.clock.advance(LEASE_MS)
    await second.engine.recover()
    expect(await settled(second)).toEqual([])
    await answer(second, 'a-1', { c1: 'one', c2: 'two' })
    await second.until('run-finished', 1)
    expect(await settled(second)).toEqual(['c1 ok', 'c2 ok'])
    expect((await second.log()).at(-1)).toMatchObject({ type: 'run-finished', outcome: 'completed' })
  })

  it('[TOOL18, STOP5] end with a stop, and an answer that comes after it changes nothing', async () => {
    const harness = await open()
    await harness.stop('stop-1')
    await harness.until('run-finished', 1)
    expect(await settled(harness)).toEqual(['c1 unknown', 'c2 unknown'])
    expect(await answer(harness, 'a-1', { c1: 'late' })).toEqual({ accepted: false })
  })

  it('[TOOL18, STOP5] end as unknown with a stop also while the run works on another call', async () => {
    const harness = await openHarness(
      [calls({ callId: 'c1', name: 'local', input: {} }, { callId: 'c2', name: 'look', input: { path: 'a' } })],
      [clientTool('local'), testTool({ name: 'look', category: 'read', waits: true }).tool],
    )
    await harness.send('Work', 'send-1')
    await harness.until('tool-call-started', 2)
    const stopped = harness.stop('stop-1')
    await harness.clock.advance(GRACE_MS)
    await stopped
    await harness.until('run-finished', 1)
    expect(await settled(harness)).toEqual(['c2 aborted', 'c1 unknown'])
  })

  it('[TOOL18] end as unknown where the client has given them up, and what is long is kept whole', async () => {
    const harness = await open()
    const { engine, conversationId } = harness
    const long = 'x'.repeat(200_000)
    const results = [result('c1', long)]
    await engine.answerCalls({ commandId: 'a-1', actor, conversationId, results, others: 'end' })
    await harness.until('run-finished', 1)
    expect(await settled(harness)).toEqual(['c1 ok', 'c2 unknown'])
    const whole = (await harness.log()).find((entry) => entry.type === 'tool-call-settled' && entry.callId === 'c1')
    expect(whole).toMatchObject({ blob: { sizeBytes: 200_000 } })
  })
})
