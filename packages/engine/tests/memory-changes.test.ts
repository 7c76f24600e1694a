import { says } from '@holdfast/engine/testing'
import type { MemoryLogChange } from '@holdfast/tool'
import { expect, it } from 'vitest'
import { openHarness } from './support/harness.ts'
import { calls, testTool } from './support/tools.ts'

const SAVED: MemoryLogChange = { memoryId: 'memory_1', agentId: null, text: 'Likes tea' }
const CALL = calls({ callId: 'call_1', name: 'remember', input: { path: '/folder/tea' } })

it('[LOG3] notes what a call remembered right behind its end, in the same append, and sends it to no model', async () => {
  const remember = testTool({ name: 'remember', category: 'read', effects: [{ type: 'memory-changed', ...SAVED }] })
  const harness = await openHarness([CALL, says('done'), says('again')], [remember.tool])
  await harness.send('Remember it', 'send_1')
  await harness.until('run-finished', 1)
  const entries = await harness.log()
  const settled = entries.findIndex(({ type }) => type === 'tool-call-settled')
  expect(entries[settled + 1]).toMatchObject({ type: 'memory-changed', callId: 'call_1', ...SAVED })
  expect(entries[settled + 1]?.at).toBe(entries[settled]?.at)
  await harness.send('And', 'send_2')
  await harness.until('run-finished', 2)
  expect((await harness.types()).filter((type) => type === 'memory-changed')).toHaveLength(1)
  expect(JSON.stringify(harness.model.requests.at(-1))).not.toContain('Likes tea')
})
