import { buildRequest } from '@holdfast/context'
import { type Entry, type EntryStore, isInRanges, type Overview, pathRanges } from '@holdfast/conversation'
import type { ModelRequest } from '@holdfast/provider'

const PAGE = 500

/** The request of the next step: the entries of the active path, as the pure builder makes them. [REQ1] */
export async function requestOf(
  store: EntryStore,
  at: { conversationId: string; state: Overview; modelId: string },
): Promise<ModelRequest> {
  const { conversationId, state, modelId } = at
  const ranges = pathRanges(state.path)
  const entries: Entry[] = []
  for (const range of ranges) {
    for (let after = range.from - 1; after < range.to; ) {
      const page = await store.read({ conversationId, after, limit: Math.min(PAGE, range.to - after) })
      entries.push(...page.entries.filter((entry) => isInRanges(ranges, entry.seq)))
      after = page.entries.at(-1)?.seq ?? range.to
    }
  }
  return buildRequest({ modelId, system: state.settings.instructions ?? '', entries })
}
