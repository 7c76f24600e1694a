import type { ConversationSettings } from '@holdfast/conversation'
import type { PlaceQuery } from '@holdfast/engine'
import { says } from '@holdfast/engine/testing'
import type { FileChange } from '@holdfast/tool'
import { expect, it } from 'vitest'
import { openHarness } from './support/harness.ts'
import { calls, testTool } from './support/tools.ts'

const CHANGE: FileChange = { path: 'a.txt', kind: 'deleted' }
const CALL = calls({ callId: 'call_1', name: 'edit', input: { path: '/folder/a.txt' } })

async function openEditing() {
  const edit = testTool({ name: 'edit', category: 'edit', waits: true })
  const harness = await openHarness([CALL, says('done')], [edit.tool])
  const { engine, conversationId, send, until } = harness
  const actor = { type: 'person', userId: 'user_1' } as const
  const settings = { commandId: 'mode', actor, conversationId, changes: { permissionMode: 'accept-edits' } }
  await engine.changeSettings(settings)
  await send('Edit it', 'send_1')
  await until('tool-call-started', 1)
  const note = () => edit.contexts[0]?.report({ type: 'files-changed', changes: [CHANGE] })
  return { ...harness, note, finish: edit.finish }
}

it('[WS1] notes what a call changed right behind its end, in the same append', async () => {
  const { note, finish, until, log, types } = await openEditing()
  note()
  finish('edited')
  await until('run-finished', 1)
  const entries = await log()
  const settled = entries.findIndex(({ type }) => type === 'tool-call-settled')
  expect(entries[settled + 1]).toMatchObject({ type: 'files-changed', callId: 'call_1', changes: [CHANGE] })
  expect(entries[settled + 1]?.at).toBe(entries[settled]?.at)
  expect((await types()).filter((type) => type === 'files-changed')).toHaveLength(1)
})

it('[WS1, TOOL4] notes what a stopped call had changed, and what it changed after its end', async () => {
  const { note, finish, stop, until, log, clock } = await openEditing()
  note()
  await stop('stop_1')
  await until('stop-requested', 1)
  await clock.advance(2_000)
  await until('run-finished', 1)
  note()
  finish('edited after all')
  await until('tool-result-late', 1)
  const entries = (await log()).filter(({ type }) => type.startsWith('tool-') || type === 'files-changed')
  expect(entries.map(({ type }) => type).slice(1)).toEqual([
    'tool-call-settled',
    'files-changed',
    'files-changed',
    'tool-result-late',
  ])
})

it('[WS1] judges and sets a folder of a conversation by what the operator allows', async () => {
  const workspaceOf = ({ settings: { workspace = '/folder' } }: PlaceQuery) =>
    workspace.startsWith('/folder') ? workspace : null
  const read = testTool({ name: 'read', category: 'read' })
  const call = calls({ callId: 'call_1', name: 'read', input: { path: '/folder/a.txt' } })
  const { engine, conversationId, send, until, log } = await openHarness([call, says('done')], [read.tool], null, {
    ports: { workspaceOf },
  })
  const actor = { type: 'person', userId: 'user_1' } as const
  const set = (workspace: string) =>
    engine.changeSettings({ commandId: `set ${workspace}`, actor, conversationId, changes: { workspace } })
  await expect(set('/etc')).rejects.toMatchObject({ code: 'workspace-not-permitted', ids: { workspace: '/etc' } })
  await set('/folder/part')
  await send('Read it', 'send_1')
  // What is above the conversation's own folder asks.
  await until('permission-requested', 1)
  expect((await log()).filter(({ type }) => type === 'settings-changed')).toHaveLength(1)
})

it('[WS7] begins and goes on where its owner may work, and another workspace takes the folder of the one before along', async () => {
  const known: Record<string, string> = { one: '/one', two: '/two' }
  const workspaceOf = ({ ownerId, settings }: PlaceQuery) =>
    ownerId === 'user_1' && settings.worktreeId === undefined && settings.workspace !== '..'
      ? (known[settings.workspaceId ?? 'one'] ?? null)
      : null
  const { engine, conversationId, log } = await openHarness([says('done')], [], null, { ports: { workspaceOf } })
  const actor = { type: 'person', userId: 'user_1' } as const
  let count = 0
  const set = (changes: Parameters<typeof engine.changeSettings>[0]['changes']) =>
    engine.changeSettings({ commandId: `set ${count++}`, actor, conversationId, changes })
  await set({ workspaceId: 'two', workspace: 'part' })
  await set({ workspaceId: 'one' })
  await expect(set({ workspaceId: 'three' })).rejects.toMatchObject({ code: 'workspace-not-permitted' })
  await expect(set({ worktreeId: 'worktree_1' })).rejects.toMatchObject({ code: 'workspace-not-permitted' })
  const changes = (await log()).flatMap((entry) => (entry.type === 'settings-changed' ? [entry.changes] : []))
  expect(changes).toMatchObject([
    { workspaceId: 'two', workspace: 'part' },
    { workspaceId: 'one', workspace: null, worktreeId: null },
  ])
  const begin = (ownerId: string, settings: ConversationSettings) =>
    engine.createConversation({ commandId: `begin ${count++}`, actor, ownerId, title: null, modelId: null, settings })
  await expect(begin('user_1', { workspaceId: 'three' })).rejects.toMatchObject({ code: 'workspace-not-permitted' })
  await expect(begin('user_2', { workspaceId: 'two' })).rejects.toMatchObject({ code: 'workspace-not-permitted' })
  await begin('user_1', { workspaceId: 'two' })
})
