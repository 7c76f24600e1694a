import type { Clock } from '@holdfast/conversation'
import { routes } from '@holdfast/protocol'
import type { Api } from '../reach/api.ts'

/** A title is begun this soon after the turn, or not at all; a busy computer included. In milliseconds. */
const BEGIN_MS = 2_000

/** The longest that one is waited for, in milliseconds. */
const MAKE_MS = 15_000

/** Which conversation, and what ends the wait before its time. */
export interface TitleWait {
  readonly conversationId: string
  readonly clock: Clock
  readonly signal: AbortSignal
}

/** Waits for the title that a conversation gets after its first answer: a server that ends now would cut it off. [CLI8] */
export async function untilTitled(api: Api, { conversationId, clock, signal }: TitleWait): Promise<void> {
  const { settings } = await api.call(routes.listSettings, {})
  if (settings.some(({ key, value }) => key === 'autoTitles' && value === false)) return
  const over = new AbortController()
  let cancel = clock.after(BEGIN_MS, () => over.abort())
  const either = AbortSignal.any([signal, over.signal])
  const titleRunIds = new Set<string>()
  try {
    for await (const event of api.follow(conversationId, { after: 0, signal: either })) {
      if (event.type !== 'entry') continue
      const { entry } = event
      if (entry.type === 'title-changed') return
      if (entry.type === 'run-finished' && titleRunIds.has(entry.runId)) return
      if (entry.type !== 'run-started' || entry.purpose !== 'title') continue
      titleRunIds.add(entry.runId)
      cancel()
      cancel = clock.after(MAKE_MS, () => over.abort())
    }
  } finally {
    cancel()
    over.abort()
  }
}
