import type { Client } from '@holdfast/client'
import type { ServerHealth } from '@holdfast/protocol'
import { clockText, wholeCount } from '../shared/format.ts'
import { bytesText } from '../shared/language/bytes-text.ts'
import { say } from '../shared/language/say.ts'
import { KeptCard } from './kept-card.tsx'
import { useKept } from './use-kept.ts'

/** How often the figures are read, in milliseconds: each reading looks at the event loop for a while. */
const EVERY_MS = 5_000

const MS_PER_S = 1_000

/** How the server is that answers, and its store. [UI60] */
export function HealthCard({ client }: { readonly client: Client }) {
  const kept = useKept(client.readServerHealth, EVERY_MS)
  return (
    <KeptCard title={say('administration.health')} testId="health" kept={kept}>
      {(health) => (
        <dl className="about-facts">
          {factsOf(health).map(({ name, says }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{says}</dd>
            </div>
          ))}
        </dl>
      )}
    </KeptCard>
  )
}

interface Fact {
  readonly name: string
  readonly says: string
}

function factsOf({
  version,
  uptimeMs,
  memoryBytes,
  store,
  loopLag,
  openSocketCount,
  work,
}: ServerHealth): readonly Fact[] {
  const { conversationsOfEach, runningCount, waitingForPersonCount, queuedCount } = work
  return [
    ...storeFacts(store),
    {
      name: say('administration.event-loop'),
      says: say('administration.late-by', { mean: milliseconds(loopLag.meanMs), most: milliseconds(loopLag.mostMs) }),
    },
    { name: say('administration.answered-now'), says: say('administration.conversations', { count: runningCount }) },
    {
      name: say('administration.waiting-for-a-person'),
      says: say('administration.conversations', { count: waitingForPersonCount }),
    },
    {
      name: say('administration.in-queues'),
      says: say('administration.messages-of-newest', { count: queuedCount, newest: conversationsOfEach }),
    },
    { name: say('administration.open-sockets'), says: wholeCount(openSocketCount) },
    { name: say('administration.memory'), says: bytesText(memoryBytes) },
    { name: say('administration.up-for'), says: clockText(Math.floor(uptimeMs / MS_PER_S)) },
    { name: say('about.version'), says: version },
  ]
}

function storeFacts(store: ServerHealth['store']): readonly Fact[] {
  if (store === null) return []
  const kind = store.kind === 'sqlite' ? say('administration.sqlite') : say('administration.postgresql')
  const own = { name: say('administration.store'), says: [kind, bytesText(store.sizeBytes)].join(' · ') }
  if (store.writeAheadBytes === null) return [own]
  return [own, { name: say('administration.write-ahead'), says: bytesText(store.writeAheadBytes) }]
}

/** A delay to a tenth of a millisecond. */
function milliseconds(ms: number): number {
  return Math.round(ms * 10) / 10
}
