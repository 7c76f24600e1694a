import { ALWAYS_RULE, createMemories } from '@holdfast/engine'
import { createStoredAgents } from '../../src/agents/stored-agents.ts'
import { IMPORT, newImportRecord } from '../../src/imports/import-record.ts'
import { createPresetDirectory } from '../../src/presets/preset-directory.ts'
import { attachmentsOf } from './attachments.ts'
import { realClock, realIds } from './real-ports.ts'
import { storedSchedule } from './schedule-bench.ts'
import type { Served } from './serve.ts'

/** Makes a record of another user for each address that names one. */
export const othersRecords: Readonly<Record<string, (served: Served) => Promise<string>>> = {
  readImport: othersImport,
  cancelImport: othersImport,
  readAgent: othersAgent,
  readAgentUse: othersAgent,
  readAgentPicture: othersAgent,
  changeAgent: othersAgent,
  acceptAgent: othersAgent,
  deleteAgent: othersAgent,
  revokePermissionRule: async ({ records }) => {
    const value = { effect: 'allow' as const, tool: 'read' }
    await records.put(ALWAYS_RULE, { ownerId: 'someone', id: 'rule_theirs', revision: 0, value, at: 0 })
    return 'rule_theirs'
  },
  changePreset: othersPreset,
  deletePreset: othersPreset,
  readSchedule: othersSchedule,
  changeSchedule: othersSchedule,
  removeSchedule: othersSchedule,
  runSchedule: othersSchedule,
  stopSchedule: othersSchedule,
  renewScheduleSecret: othersSchedule,
  listOccurrences: othersSchedule,
  nextOfSchedule: othersSchedule,
  dryRunSchedule: othersSchedule,
  changeMemory: othersMemory,
  deleteMemory: othersMemory,
  download: othersAttachment,
  readAttachmentTokens: othersAttachment,
}

async function othersSchedule({ schedules }: Served): Promise<string> {
  const at = realClock.now()
  const value = { ...storedSchedule(at), ownerId: 'someone', isOn: false }
  const id = realIds.next('schedule')
  await schedules.scheduler.stored.put({ id, revision: 0, value, at })
  return id
}

async function othersAttachment({ store, records }: Served): Promise<string> {
  async function* content() {
    yield new TextEncoder().encode('theirs')
  }
  const attachments = attachmentsOf({ store, records })
  const file = { name: 'a.txt', mediaType: 'text/plain', content: content(), isTruncated: () => false }
  return (await attachments.keep('someone', file)).id
}

async function othersAgent({ records }: Served): Promise<string> {
  const stored = createStoredAgents({ records, clock: realClock })
  if (await stored.get('agent_theirs')) return 'agent_theirs'
  const said = {
    name: 'Theirs',
    description: '',
    avatar: null,
    picture: null,
    presetId: null,
    settings: {},
    voice: null,
    starters: [],
  }
  const value = { ...said, ownerId: 'someone', sharing: { type: 'private' as const } }
  await stored.put({ id: 'agent_theirs', version: 0, value })
  return 'agent_theirs'
}

async function othersPreset({ records }: Served): Promise<string> {
  const presets = createPresetDirectory({
    records,
    clock: realClock,
    ids: realIds,
    contradiction: () => [],
    hasSandbox: () => null,
  })
  const [, , , theirs] = await presets.rows('someone')
  return (theirs ?? (await presets.create('someone', { name: 'Theirs', says: '', settings: {} }))).id
}

async function othersMemory({ records }: Served): Promise<string> {
  const memories = createMemories({ records, clock: realClock, ids: realIds, isShared: true })
  const wish = { text: 'theirs', agentId: null, isPinned: false, from: null, replaces: null }
  const outcome = await memories.save('someone', wish)
  return outcome.type === 'saved' || outcome.type === 'known' ? outcome.memory.memoryId : 'none'
}

async function othersImport({ records }: Served): Promise<string> {
  const value = newImportRecord({
    name: 'theirs.json',
    sizeBytes: 1,
    startedAt: 0,
    isDryRun: false,
    only: null,
    since: null,
  })
  await records.put(IMPORT, { ownerId: 'someone', id: 'import_theirs', revision: 0, value, at: 0 })
  return 'import_theirs'
}
