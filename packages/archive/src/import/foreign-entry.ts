import type { BlobReference, InputPart, NewEntry, ToolResultPart } from '@holdfast/conversation'
import { blobsOf } from '@holdfast/conversation'

/** Settings that say what a conversation may do on the machine where it stands. */
const LOCAL_SETTINGS = [
  'permissionMode',
  'externalMode',
  'externalModel',
  'paidBy',
  'workspaceId',
  'worktreeId',
  'workspace',
  'budgetUsd',
]

/**
 * An entry of another installation as it may stand here. Its words stay; what it would allow does not: its people
 * become the owner, its permission rules are revoked, its mode, folder and budget are dropped, its sub-agents'
 * conversations are not named, and its usage is marked as made elsewhere. [COST8]
 */
export function foreignEntry(entry: NewEntry, ownerId: string): NewEntry {
  const own: NewEntry =
    entry.actor.type === 'person' ? { ...entry, actor: { type: 'person', userId: ownerId } } : { ...entry }
  switch (own.type) {
    case 'conversation-created':
      return { ...own, ownerId, origin: { type: 'import' }, settings: withoutLocal(own.settings) }
    case 'settings-changed':
      return { ...own, changes: withoutLocal(own.changes) }
    case 'permission-rule-changed':
      return { ...own, rule: null }
    case 'permission-requested':
    case 'question-asked':
      return { ...own, userId: ownerId }
    case 'tool-call-started': {
      const { childConversationId: _, ...kept } = own
      return kept
    }
    case 'usage-recorded':
      return { ...own, carried: true }
    case 'body-erased':
      return own.erasedBy?.type === 'person' ? { ...own, erasedBy: { type: 'person', userId: ownerId } } : own
    default:
      return own
  }
}

function withoutLocal<Settings extends object>(settings: Settings): Settings {
  const kept = { ...settings }
  for (const name of LOCAL_SETTINGS) Reflect.deleteProperty(kept, name)
  return kept
}

/** An entry without the blobs that are not there: a part that names one becomes words, a large result keeps its excerpt. [LOG11] */
export async function withoutMissingBlobs(
  entry: NewEntry,
  isThere: (hash: string) => Promise<boolean>,
): Promise<{ readonly entry: NewEntry; readonly missing: readonly string[] }> {
  const missing = new Set<string>()
  for (const { hash } of blobsOf(entry)) if (!(await isThere(hash))) missing.add(hash)
  if (missing.size === 0) return { entry, missing: [] }
  return { entry: without(entry, missing), missing: [...missing] }
}

function without(entry: NewEntry, missing: ReadonlySet<string>): NewEntry {
  const isMissing = (blob: BlobReference | undefined): boolean => blob !== undefined && missing.has(blob.hash)
  const input = (parts: readonly InputPart[]): InputPart[] =>
    parts.map((part) => ('blob' in part && isMissing(part.blob) ? lostInput(part) : part))
  const result = (parts: readonly ToolResultPart[]): ToolResultPart[] =>
    parts.map((part) => ('blob' in part && isMissing(part.blob) ? lostPart(part.name) : part))
  switch (entry.type) {
    case 'input-admitted':
    case 'user-message-sent':
      return { ...entry, content: input(entry.content) }
    case 'input-changed':
      return entry.content ? { ...entry, content: input(entry.content) } : entry
    case 'tool-call-settled': {
      const { blob, ...kept } = entry
      return { ...kept, content: result(entry.content), ...(blob && !isMissing(blob) ? { blob } : {}) }
    }
    case 'tool-result-late':
      return { ...entry, content: result(entry.content) }
    case 'files-changed':
      return {
        ...entry,
        changes: entry.changes.map(({ before, after, ...change }) => ({
          ...change,
          ...(before && !isMissing(before) ? { before } : {}),
          ...(after && !isMissing(after) ? { after } : {}),
        })),
      }
    default:
      return entry
  }
}

/** An element of a page stays without its picture. */
function lostInput(part: InputPart): InputPart {
  if (part.type !== 'element') return lostPart('name' in part ? part.name : undefined)
  const { attachmentId: _attachmentId, blob: _blob, ...element } = part
  return element
}

function lostPart(name: string | undefined): { type: 'text'; text: string } {
  return { type: 'text', text: `[${name ?? 'A picture'}: not in the imported file]` }
}
