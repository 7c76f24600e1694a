import type { ConversationRow } from '@holdfast/protocol'
import { listGroup } from '../../shared/format.ts'
import { say } from '../../shared/language/say.ts'

/** A line of the list: the name of a group, or a conversation. */
export type ListLine =
  | { readonly type: 'group'; readonly name: string }
  | { readonly type: 'row'; readonly row: ConversationRow; readonly isPinned: boolean }

/** Pinned ones in the order of pinning, then the groups of the days. */
export function listLines(
  rows: readonly ConversationRow[],
  { pinnedIds, now }: { readonly pinnedIds: readonly string[]; readonly now: number },
): readonly ListLine[] {
  const byId = new Map(rows.map((row) => [row.id, row]))
  const isPinned = new Set(pinnedIds)
  const pinned = pinnedIds.flatMap((id) => byId.get(id) ?? [])
  const lines: ListLine[] = pinned.length > 0 ? [{ type: 'group', name: say('list.pinned') }] : []
  for (const row of pinned) lines.push({ type: 'row', row, isPinned: true })
  let group: string | null = null
  for (const row of rows) {
    if (isPinned.has(row.id)) continue
    const name = listGroup(row.updatedAt, now)
    if (name !== group) lines.push({ type: 'group', name })
    group = name
    lines.push({ type: 'row', row, isPinned: false })
  }
  return lines
}
