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

/**
 * The changes that a log names, oldest first, on every branch: files do not go back when the path does. Those of
 * sub-agents stand where their call began. [WS1]
 */
export async function loggedChanges(
  store: Pick<EntryLog, 'read'>,
  { conversationId, target }: Place,
): Promise<readonly LoggedChange[]> {
  const found: LoggedChange[] = []
  let layers = settingLayers.initial
  for await (const { entries } of entriesAfter(store, { conversationId, after: 0, pageEntries: MAX_PAGE_ENTRIES })) {
    for (const entry of entries) {
      layers = settingLayers.reduce(layers, [entry])
      if (!isMeant(entry, target)) continue
      if (entry.type === 'files-changed')
        for (const change of entry.changes) found.push({ conversationId, settings: settingsInForce(layers), change })
      if (entry.type === 'tool-call-started' && entry.childConversationId !== undefined)
        found.push(...(await changesOfChild(store, entry.childConversationId)))
    }
  }
  return found
}

function changesOfChild(store: Pick<EntryLog, 'read'>, conversationId: string): Promise<readonly LoggedChange[]> {
  return loggedChanges(store, { conversationId, target: { type: 'since', seq: 0 } })
}

function isMeant(entry: Entry, target: ChangeTarget): boolean {
  switch (target.type) {
    case 'run':
      return 'runId' in entry && entry.runId === target.runId
    case 'set':
      return entry.seq === target.seq
    case 'since':
      return entry.seq > target.seq
  }
}
