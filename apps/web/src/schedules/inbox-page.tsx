import type { Client } from '@holdfast/client'
import { useObservable } from '@holdfast/client/react'
import type { InboxItem } from '@holdfast/protocol'
import { useEffect, useState } from 'react'
import { told } from '../shared/ask-server.ts'
import { say } from '../shared/language/say.ts'
import { InboxFilter, isShown, NO_FILTER } from './inbox-filter.tsx'
import { canBeSeen, InboxRow } from './inbox-row.tsx'
import { useFreshInbox } from './use-fresh-inbox.ts'
import { useKeptFocus } from './use-kept-focus.ts'

/** So many are drawn at first, and with each *more*. */
const PAGE = 100
const NONE: readonly InboxItem[] = []

/** All that needs a person, and what ended while they were away, over all conversations and schedules. */
export function InboxPage({ client }: { readonly client: Client }) {
  useFreshInbox(client)
  const inbox = useObservable(client.inbox, ({ value }) => value)
  useEffect(() => client.inbox.load(), [client])
  const [wanted, setWanted] = useState(NO_FILTER)
  const [most, setMost] = useState(PAGE)
  const items = inbox?.items ?? NONE
  const shown = items.filter((item) => isShown(item, wanted))
  const drawn = shown.slice(0, most)
  const list = useKeptFocus(drawn.map(({ id }) => id))
  const seen = shown.filter(canBeSeen).map(({ id }) => id)
  return (
    <section aria-label={say('inbox.page')}>
      <div className="settings-head">
        <p className="settings-lead">{say('inbox.lead')}</p>
        {seen.length > 0 && (
          <button type="button" className="button" onClick={() => void told(acknowledgeAll(client, seen))}>
            {say(shown.length === items.length ? 'inbox.all-seen' : 'inbox.these-seen')}
          </button>
        )}
      </div>
      <InboxFilter
        client={client}
        items={items}
        wanted={wanted}
        onWanted={(next) => {
          setWanted(next)
          setMost(PAGE)
        }}
      />
      {inbox && items.length === 0 && <p className="meta">{say('inbox.empty')}</p>}
      {items.length > 0 && (
        <p className="meta tabular" role="status" data-testid="inbox-count">
          {say('inbox.shown-of', { shown: shown.length, all: items.length })}
        </p>
      )}
      <ul className="provider-list" ref={list}>
        {drawn.map((item) => (
          <InboxRow key={item.id} client={client} item={item} />
        ))}
      </ul>
      {shown.length > drawn.length && (
        <button type="button" className="button" onClick={() => setMost(most + PAGE)}>
          {say('inbox.show-more', { count: Math.min(PAGE, shown.length - drawn.length) })}
        </button>
      )}
    </section>
  )
}

/** So many are acknowledged by one request. */
const AT_ONCE = 500

async function acknowledgeAll(client: Client, ids: readonly string[]): Promise<void> {
  for (let from = 0; from < ids.length; from += AT_ONCE) await client.acknowledge(ids.slice(from, from + AT_ONCE))
}
