import type { WrittenFiles } from '@holdfast/engine'
import { says } from '@holdfast/engine/testing'
import type { FileChange } from '@holdfast/tool'
import { expect, it } from 'vitest'
import { openHarness } from './support/harness.ts'
import { calls, testTool } from './support/tools.ts'

const actor = { type: 'person', userId: 'user_1' } as const
const change: FileChange = { path: 'a.txt', kind: 'created' }

/** A turn that reads and edits, with what each call changed and read of strangers as the test says. */
async function play(turn: { readonly read: readonly string[]; readonly mode: 'accept-edits' | 'ask' }) {
  const written: WrittenFiles[] = []
  const ports = {
    strangersFiles: { note: async (all: WrittenFiles) => void written.push(all) },
  }
  const input = { path: '/folder/a.txt' }
  const script = [
    calls({ callId: 'read', name: 'read', input }),
    calls({ callId: 'edit', name: 'edit', input }),
    says('Done'),
  ]
  const read = turn.read.length === 0 ? [] : [{ type: 'strangers-read', files: turn.read } as const]
  const tools = [
    testTool({ name: 'read', category: 'read', effects: read }),
    testTool({ name: 'edit', category: 'edit', effects: [{ type: 'files-changed', changes: [change] }] }),
  ]
  const harness = await openHarness(
    script,
    tools.map(({ tool }) => tool),
    null,
    { ports },
  )
  const { engine, conversationId, send, until, log } = harness
  const changes = { permissionMode: turn.mode }
  await engine.changeSettings({ commandId: 'mode', actor, conversationId, changes })
  await send('Go', 'send_1')
  return { ...harness, written, until, log }
}

it('[PERM7] writes down which files of strangers a call read, and that the conversation has their words since', async () => {
  const { until, log, written, engine, conversationId } = await play({ read: ['page.html'], mode: 'accept-edits' })
  await until('run-finished', 1)
  const settled = (await log()).filter(({ type }) => type === 'tool-call-settled')
  expect(settled).toMatchObject([{ callId: 'read', strangers: ['page.html'] }, { callId: 'edit' }])
  expect(settled[1]).not.toHaveProperty('strangers')
  expect(written).toMatchObject([{ conversationId, ownerId: 'user_1', how: 'written', by: 'edit', changes: [change] }])
  await engine.close()
})

it('[PERM7] takes what is written for the person’s own as long as no stranger was read', async () => {
  const { until, written, engine } = await play({ read: [], mode: 'accept-edits' })
  await until('run-finished', 1)
  expect(written).toMatchObject([{ how: 'own' }])
  await engine.close()
})
