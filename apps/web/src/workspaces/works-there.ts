import type { ConversationRow } from '@holdfast/protocol'
import { START_WORKSPACE } from '@holdfast/protocol'

/** A conversation that was written in within so many milliseconds is at work, though nothing runs in it now. */
const RECENT_MS = 30 * 60_000

/** Whether a conversation works in a folder itself, so that another one there should not. [WS7] */
export function worksThere(
  row: Pick<ConversationRow, 'archived' | 'state' | 'updatedAt' | 'workspaceId' | 'worktreeId'>,
  { workspaceId, now }: { readonly workspaceId: string | null; readonly now: number },
): boolean {
  const isThere = (row.workspaceId ?? START_WORKSPACE) === (workspaceId ?? START_WORKSPACE) && row.worktreeId === null
  if (row.archived || !isThere) return false
  const isAtWork =
    row.state === 'running' || row.state === 'waiting-for-permission' || row.state === 'waiting-for-answer'
  return isAtWork || now - row.updatedAt < RECENT_MS
}
