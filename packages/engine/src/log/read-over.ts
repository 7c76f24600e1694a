import type { Entry, EntryLog, PageQuery } from '@holdfast/conversation'

/** Pages of the log up to a head, and of the entries that follow it. What others have written since is not seen. */
export function readOver(
  store: Pick<EntryLog, 'read'>,
  { head, entries: added }: { readonly head: number; readonly entries: readonly Entry[] },
): EntryLog['read'] {
  return async ({ conversationId, limit, after, before }: PageQuery) => {
    const newHead = head + added.length
    if (before !== undefined) {
      const last = added.filter(({ seq }) => seq < before).slice(-limit)
      const room = limit - last.length
      const page =
        room === 0
          ? []
          : (await store.read({ conversationId, before: Math.min(before, head + 1), limit: room })).entries
      return { entries: [...page, ...last], head: newHead }
    }
    const page = after < head ? (await store.read({ conversationId, after, limit })).entries : []
    const first = page.filter(({ seq }) => seq <= head)
    const isAtHead = after >= head || first.at(-1)?.seq === head
    const rest = isAtHead ? added.filter(({ seq }) => seq > after).slice(0, limit - first.length) : []
    return { entries: [...first, ...rest], head: newHead }
  }
}
