import type { Client } from '@holdfast/client'
import type { ReplicaRow } from '@holdfast/protocol'
import { dayAndTime, exactTime } from '../shared/format.ts'
import { type PlainKey, say } from '../shared/language/say.ts'
import { KeptCard } from './kept-card.tsx'
import { useKept } from './use-kept.ts'

/** Servers beat once a second; a person sees a change soon enough, in milliseconds. */
const EVERY_MS = 5_000

/** The servers on one database, with what each works on. [UI61] */
export function ServersCard({ client }: { readonly client: Client }) {
  const kept = useKept(client.listReplicas, EVERY_MS)
  return (
    <KeptCard title={say('administration.servers')} testId="servers" kept={kept}>
      {(replicas) =>
        replicas.length === 0 ? (
          <p className="meta">{say('administration.one-server')}</p>
        ) : (
          <ul className="account-list">
            {replicas.map((replica) => (
              <Server key={replica.id} replica={replica} />
            ))}
          </ul>
        )
      }
    </KeptCard>
  )
}

const STATES: Readonly<Record<ReplicaRow['state'], PlainKey>> = {
  alive: 'administration.at-work',
  draining: 'administration.draining',
  gone: 'administration.gone',
}

function Server({ replica }: { readonly replica: ReplicaRow }) {
  const { host, pid, version, url, isThis, state, startedAt, beatAt, conversationCount, conversationIds } = replica
  const facts = [
    ...(isThis ? [say('administration.this-one')] : []),
    version,
    ...(url === null ? [] : [url]),
    say('administration.since', { time: dayAndTime(startedAt) }),
    say('administration.last-beat', { time: exactTime(beatAt) }),
  ]
  return (
    <li data-state={state}>
      <div>
        <strong dir="ltr">{`${host}:${pid}`}</strong> <span className="meta">{say(STATES[state])}</span>
        <p className="meta">{facts.join(' · ')}</p>
        {conversationCount === 0 ? (
          <p className="meta">{say('administration.works-on', { count: 0 })}</p>
        ) : (
          <details>
            <summary className="meta">{say('administration.works-on', { count: conversationCount })}</summary>
            <ul className="mono" dir="ltr">
              {conversationIds.map((id) => (
                <li key={id}>{id}</li>
              ))}
            </ul>
            {conversationIds.length < conversationCount && (
              <p className="meta">
                {say('administration.and-more', { count: conversationCount - conversationIds.length })}
              </p>
            )}
          </details>
        )}
      </div>
    </li>
  )
}
