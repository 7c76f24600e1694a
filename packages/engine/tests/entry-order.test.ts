import { readFileSync } from 'node:fs'
import { begins, says } from '@holdfast/engine/testing'
import { describe, expect, it } from 'vitest'
import { type Harness, openHarness } from './support/harness.ts'
import { calls, testTool } from './support/tools.ts'

const person = { type: 'person', userId: 'user_1' } as const
const LEASE_MS = 10_000

/** The trees of docs/ARCHITECTURE.md by their titles: the kinds of entries in their order. */
function drawnOrders(): Readonly<Record<string, readonly string[]>> {
  const page = readFileSync(new URL('../../../docs/ARCHITECTURE.md', import.meta.url), 'utf8')
  const drawn = /## The order of entries\n[^`]*```text\n([^`]*)```/.exec(page)?.[1] ?? ''
  return Object.fromEntries(
    drawn.split(/\n\n/).map((tree) => {
      const [title = '', ...lines] = tree.trimEnd().split('\n')
      return [title.trim(), lines.map((line) => line.trim().split(/\s/)[0] ?? '')]
    }),
  )
}

/** What came after the conversation was made. */
async function orderIn(harness: Harness): Promise<readonly string[]> {
  return (await harness.types()).slice(1)
}

const reads = { callId: 'c1', name: 'read', input: { path: 'a' } }
const edits = { callId: 'c1', name: 'edit', input: { path: 'a' } }

const SCENES: Readonly<Record<string, () => Promise<Harness>>> = {
  'a plain turn with one call': async () => {
    const { tool } = testTool({ name: 'read', category: 'read' })
    const harness = await openHarness([calls(reads), says('Done')], [tool])
    await harness.send('Hi', 'send-1')
    await harness.until('run-finished', 1)
    return harness
  },
  'a call that asks': async () => {
    const { tool } = testTool({ name: 'edit', category: 'edit' })
    const harness = await openHarness([calls(edits), says('Done')], [tool])
    await harness.send('Hi', 'send-1')
    await harness.until('permission-requested', 1)
    const asked = (await harness.log()).find((entry) => entry.type === 'permission-requested')
    await harness.engine.answerPermission({
      commandId: 'answer-1',
      actor: person,
      conversationId: harness.conversationId,
      requestId: asked?.requestId ?? '',
      decision: 'allow',
      scope: 'call',
    })
    await harness.until('run-finished', 1)
    return harness
  },
  'a stop, with a message that waits': async () => {
    const harness = await openHarness([[...begins('Once upon'), { type: 'wait' }]])
    await harness.send('Tell me', 'send-1')
    await harness.untilPublished('Once upon')
    await harness.send('And then?', 'send-2')
    await harness.stop('stop-1')
    harness.model.proceed()
    await harness.until('run-finished', 1)
    return harness
  },
  'a crash in an answer, and the recovery by the next owner': async () => {
    const first = await openHarness([[...begins('One'), { type: 'wait' }]])
    await first.send('Count', 'send-1')
    await first.untilPublished('One')
    await first.clock.advance(200)
    const second = await first.restart([])
    await second.clock.advance(LEASE_MS)
    await second.engine.recover()
    return second
  },
}

describe('the order of entries', () => {
  it.each(Object.entries(SCENES))('[RUN1] is the one that docs/ARCHITECTURE.md draws: %s', async (title, play) => {
    expect(await orderIn(await play())).toEqual(drawnOrders()[title])
  })

  it('[RUN1] is drawn for every scene and for nothing else', () => {
    expect(Object.keys(drawnOrders())).toEqual(Object.keys(SCENES))
  })
})
