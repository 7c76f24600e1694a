import type { Client } from '@holdfast/client'
import { useObservable } from '@holdfast/client/react'
import type { InboxItem } from '@holdfast/protocol'
import { useEffect, useState } from 'react'
import { navigate } from '../shared/address.ts'
import { told } from '../shared/ask-server.ts'
import { say } from '../shared/language/say.ts'
import { ReadResults } from '../voice/read-results.tsx'
import { markHere, watchAway } from './here.ts'
import { costWord } from './schedule-words.ts'
import { startDigest } from './tell-digest.ts'

const DONE: readonly InboxItem['kind'][] = ['finished', 'schedule-finished', 'schedule-stopped']
const FAILED: readonly InboxItem['kind'][] = ['failed', 'schedule-failed', 'schedule-paused']
const ENDED: readonly InboxItem['kind'][] = [...DONE, ...FAILED, 'schedule-missed']

/** What ended while the person was away, in one strip, once; what is seen there is acknowledged everywhere. [UI102, SCHED2] */
export function AwayDigest({ client }: { readonly client: Client }) {
  const items = useObservable(client.inbox, ({ value }) => value?.items)
  const [since, setSince] = useState<number | null>(null)
  useEffect(() => startDigest(client), [client])
  useEffect(
    () =>
      watchAway((awaySince) => {
        client.inbox.load()
        setSince(awaySince)
      }),
    [client],
  )
  const news = since === null ? [] : (items ?? []).filter(({ kind, at }) => at > since && ENDED.includes(kind))
  if (news.length === 0) return null
  return (
    <section className="strip" aria-label={say('away.while')} data-testid="away-digest">
      <div>
        <p>{say('away.what', { what: digestOf(news) })}</p>
        <span className="setting-acts">
          <button
            type="button"
            className="button small"
            onClick={() => {
              setSince(null)
              navigate({ type: 'settings', section: 'inbox' }, 'push')
            }}
          >
            {say('away.show')}
          </button>
          <ReadResults
            client={client}
            name="away"
            lead={say('away.what', { what: digestOf(news) })}
            results={news}
            className="button small"
          />
          <button
            type="button"
            className="button small"
            onClick={() => {
              markHere()
              void told(client.acknowledge(news.map(({ id }) => id)))
            }}
          >
            {say('inbox.all-seen')}
          </button>
          <button type="button" className="link-button" onClick={() => setSince(null)}>
            {say('notify.not-now')}
          </button>
        </span>
      </div>
    </section>
  )
}

/** How much of each ended, in words, with what it cost. */
export function digestOf(items: readonly Pick<InboxItem, 'kind' | 'costUsd'>[]): string {
  const count = (kinds: readonly InboxItem['kind'][]): number => items.filter(({ kind }) => kinds.includes(kind)).length
  const [done, failed, missed] = [count(DONE), count(FAILED), count(['schedule-missed'])]
  const cost = costWord(items.reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0))
  const parts = [
    ...(done === 0 ? [] : [say('away.done', { count: done })]),
    ...(failed === 0 ? [] : [say('away.failed', { count: failed })]),
    ...(missed === 0 ? [] : [say('away.missed', { count: missed })]),
    ...(cost === null ? [] : [cost]),
  ]
  return parts.join(' · ')
}
