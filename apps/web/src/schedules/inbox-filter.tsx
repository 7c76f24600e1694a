import type { Client } from '@holdfast/client'
import type { InboxItem } from '@holdfast/protocol'
import { say } from '../shared/language/say.ts'
import { type Named, useNamed } from './rule-words.ts'
import { ITEM_WORDS } from './schedule-words.ts'

/** What of the inbox is shown; an empty text stands for all. */
export interface InboxWish {
  readonly kind: string
  /** A schedule, `conversations` for what is of none, or all. */
  readonly source: string
  /** An agent, `usual` for the usual one, or all. */
  readonly agent: string
}

export const NO_FILTER: InboxWish = { kind: '', source: '', agent: '' }

/** Whether an item is among those that are wanted. [SCHED41] */
export function isShown(item: InboxItem, { kind, source, agent }: InboxWish): boolean {
  return (
    (kind === '' || item.kind === kind) &&
    (source === '' || sourceOf(item) === source) &&
    (agent === '' || agentOf(item) === agent)
  )
}

/** Chooses by kind, by where it comes from, and by agent: what there is, with how much of it. */
export function InboxFilter(props: {
  readonly client: Client
  readonly items: readonly InboxItem[]
  readonly wanted: InboxWish
  readonly onWanted: (wanted: InboxWish) => void
}) {
  const { client, items, wanted, onWanted } = props
  const named = useNamed(client)
  const isAny = wanted.kind !== '' || wanted.source !== '' || wanted.agent !== ''
  if (items.length < 2 && !isAny) return null
  const count = (of: (item: InboxItem) => string, but: keyof InboxWish) =>
    counted(
      items.filter((item) => isShown(item, { ...wanted, [but]: '' })),
      of,
      wanted[but],
    )
  return (
    <div className="inbox-filter">
      <Among
        label={say('inbox.kind')}
        all={say('inbox.all-kinds')}
        value={wanted.kind}
        counts={count(({ kind }) => kind, 'kind')}
        word={kindWord}
        onChosen={(kind) => onWanted({ ...wanted, kind })}
      />
      <Among
        label={say('inbox.from')}
        all={say('inbox.all-sources')}
        value={wanted.source}
        counts={count(sourceOf, 'source')}
        word={(id) => (id === OF_NONE ? say('common.conversations') : scheduleWord(id, items))}
        onChosen={(source) => onWanted({ ...wanted, source })}
      />
      <Among
        label={say('schedules.agent')}
        all={say('inbox.all-agents')}
        value={wanted.agent}
        counts={count(agentOf, 'agent')}
        word={(id) => agentWord(id, named)}
        onChosen={(agent) => onWanted({ ...wanted, agent })}
      />
      {isAny && (
        <button type="button" className="link-button" onClick={() => onWanted(NO_FILTER)}>
          {say('inbox.show-all')}
        </button>
      )}
    </div>
  )
}

const OF_NONE = 'conversations'
const USUAL = 'usual'

function sourceOf({ scheduleId }: InboxItem): string {
  return scheduleId ?? OF_NONE
}

function agentOf({ agentId }: InboxItem): string {
  return agentId ?? USUAL
}

/** Its items say what a schedule is called. */
function scheduleWord(id: string, items: readonly InboxItem[]): string {
  return items.find(({ scheduleId }) => scheduleId === id)?.title ?? say('schedules.gone-schedule')
}

function agentWord(id: string, named: Named): string {
  return id === USUAL ? say('schedules.no-agent') : named.agent(id)
}

function kindWord(kind: string): string {
  const known = Object.entries(ITEM_WORDS).find(([name]) => name === kind)
  return known === undefined ? kind : say(known[1])
}

/** How many there are of each, the most first. What is chosen stays there, also where nothing of it is left. */
function counted(items: readonly InboxItem[], of: (item: InboxItem) => string, chosen: string) {
  const counts = new Map<string, number>(chosen === '' ? [] : [[chosen, 0]])
  for (const item of items) counts.set(of(item), (counts.get(of(item)) ?? 0) + 1)
  return [...counts].toSorted(([, one], [, other]) => other - one)
}

function Among(props: {
  readonly label: string
  readonly all: string
  readonly value: string
  readonly counts: readonly (readonly [string, number])[]
  readonly word: (id: string) => string
  readonly onChosen: (id: string) => void
}) {
  const { label, all, value, counts, word, onChosen } = props
  if (counts.length < 2 && value === '') return null
  return (
    <label>
      <span>{label}</span>
      <select className="picker boxed" value={value} onChange={({ target }) => onChosen(target.value)}>
        <option value="">{all}</option>
        {counts.map(([id, count]) => (
          <option key={id} value={id}>
            {say('inbox.with-count', { name: word(id), count })}
          </option>
        ))}
      </select>
    </label>
  )
}
