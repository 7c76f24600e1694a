import type { Client } from '@holdfast/client'
import { say } from '../shared/language/say.ts'
import { mayTell, tellByBrowser } from '../shared/notify/notify.ts'

/** What comes within this long is told together, in milliseconds. */
const GATHER_MS = 5_000

/** Tells of what schedules brought while nobody looks: in one notification, which the next one takes the place of. @returns what ends it. [UI103] */
export function startDigest(client: Client): () => void {
  const known = new Set<string>()
  let isFirst = true
  let timer: ReturnType<typeof setTimeout> | null = null
  function hear(): void {
    const { state, value } = client.inbox.getSnapshot()
    if (state !== 'loaded' || value === undefined) return
    const brought = value.items.filter(({ kind }) => kind.startsWith('schedule-'))
    const isNew = brought.some(({ id }) => !known.has(id))
    for (const { id } of brought) known.add(id)
    const isThereAlready = isFirst
    isFirst = false
    if (isThereAlready || !isNew || !document.hidden) return
    timer ??= setTimeout(() => {
      timer = null
      void tellOf(client)
    }, GATHER_MS)
  }
  // What was there before this was read is no news; what comes next is.
  hear()
  const unsubscribe = client.inbox.subscribe(hear)
  return () => {
    unsubscribe()
    if (timer !== null) clearTimeout(timer)
  }
}

async function tellOf(client: Client): Promise<void> {
  const items = client.inbox.getSnapshot().value?.items ?? []
  const brought = items.filter(({ kind }) => kind.startsWith('schedule-'))
  if (brought.length === 0 || !(await mayTell('schedules'))) return
  const [only] = brought
  const names = [...new Set(brought.map(({ title }) => title))].slice(0, 3).join(' · ')
  tellByBrowser({
    title: say('away.schedules', { count: brought.length }),
    body: names,
    tag: 'holdfast.schedules',
    route:
      brought.length === 1 && only?.conversationId
        ? { type: 'conversation', conversationId: only.conversationId }
        : { type: 'settings', section: 'inbox' },
  })
}
