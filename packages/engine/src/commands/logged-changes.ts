import {
  type ChangeTarget,
  type Entry,
  type EntryLog,
  entriesAfter,
  MAX_PAGE_ENTRIES,
  settingLayers,
  settingsInForce,
} from '@holdfast/conversation'
import type { LoggedChange } from '../api/ports.ts'

/** Whose changes. */
interface Place {
  readonly conversationId: string
  readonly target: ChangeTarget
}

/** What a log says of changes. */
export interface LoggedReview {
  /** Oldest first, on every branch: files do not go back when the path does. */
  readonly changes: readonly LoggedChange[]
  /** What was decided last about files and hunks, by their ids. */
  readonly marks: ReadonlyMap<string, boolean | null>
}

/** The changes that a log names, and what was decided about changes. Those of sub-agents stand where their call began. [WS1] */
export async function loggedReview(
  store: Pick<EntryLog, 'read'>,
  { conversationId, target }: Place,
): Promise<LoggedReview> {
  const found: LoggedChange[] = []
  const marks = new Map<string, boolean | null>()
  let layers = settingLayers.initial
  for await (const { entries } of entriesAfter(store, { conversationId, after: 0, pageEntries: MAX_PAGE_ENTRIES })) {
    for (const entry of entries) {
      layers = settingLayers.reduce(layers, [entry])
      if (entry.type === 'changes-decided') for (const { id, keep } of entry.marks) marks.set(id, keep)
      if (!isMeant(entry, target)) continue
      if (entry.type === 'files-changed') {
        const settings = settingsInForce(layers)
        for (const change of entry.changes) found.push({ conversationId, settings, change })
      }
      if (entry.type === 'tool-call-started' && entry.childConversationId !== undefined)
        found.push(...(await changesOfChild(store, entry.childConversationId)))
    }
  }
  return { changes: found, marks }
}

/** The last turn that changed files, by itself or by sub-agents; null for none. */
export async function lastChangingRun(store: Pick<EntryLog, 'read'>, conversationId: string): Promise<string | null> {
  let last: string | null = null
  for await (const { entries } of entriesAfter(store, { conversationId, after: 0, pageEntries: MAX_PAGE_ENTRIES }))
    for (const entry of entries) {
      if (entry.type === 'files-changed' && entry.runId !== undefined) last = entry.runId
      if (entry.type === 'tool-call-started' && entry.childConversationId !== undefined)
        if ((await changesOfChild(store, entry.childConversationId)).length > 0) last = entry.runId
    }
  return last
}

async function changesOfChild(store: Pick<EntryLog, 'read'>, conversationId: string): Promise<readonly LoggedChange[]> {
  return (await loggedReview(store, { conversationId, target: { type: 'since', seq: 0 } })).changes
}

function isMeant(entry: Entry, target: ChangeTarget): boolean {
  switch (target.type) {
    case 'run':
      return 'runId' in entry && entry.runId === target.runId
    case 'set':
      return entry.seq === target.seq
    case 'since':
      return entry.seq > target.seq
    case 'base':
      return false
  }
}
