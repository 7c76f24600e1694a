import type { Client, ConversationStore } from '@holdfast/client'
import { useConversation } from '@holdfast/client/react'
import type { WorktreeRow } from '@holdfast/protocol'
import { useCallback, useEffect, useSyncExternalStore } from 'react'
import { type Asked, useAsked } from '../shared/ask-server.ts'

let round = 0
const listeners = new Set<() => void>()

/** Says that a worktree was finished, restored or removed here: whoever shows one looks again. */
export function worktreeChanged(): void {
  round += 1
  for (const listener of listeners) listener()
}

/** How the worktree of a conversation stands; looked at again when a run ends, and when somebody here has changed it. */
export function useStanding({
  client,
  store,
  worktreeId,
}: {
  readonly client: Client
  readonly store: ConversationStore
  readonly worktreeId: string
}): Asked<WorktreeRow | null> {
  const conversationId = useConversation(store, (state) => state.conversationId)
  const isRunning = useConversation(store, ({ overview }) => overview.runState.exclusive !== null)
  const changes = useSyncExternalStore(listen, () => round)
  const read = useCallback(
    async () => (await client.listWorktrees(conversationId)).find(({ id }) => id === worktreeId) ?? null,
    [client, conversationId, worktreeId],
  )
  const [asked, readAgain] = useAsked(read)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another run or change asks again
  useEffect(() => {
    if (!isRunning) readAgain()
  }, [isRunning, changes, readAgain])
  return asked
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
