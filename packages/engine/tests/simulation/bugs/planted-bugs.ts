import { type Append, type Appended, type EntryStore, type NewEntry, placeEntry } from '@holdfast/conversation'
import type { Tool } from '@holdfast/tool'
import { PLANTED_ASIDE_BUGS } from './planted-aside-bugs.ts'
import type { PlantedBug } from './planted-bug.ts'
import { PLANTED_CANVAS_BUGS } from './planted-canvas-bugs.ts'
import { changedEntries, type Plant, withAppend } from './planted-store.ts'

/** Bugs that the simulation must find, one by one. */
export const PLANTED_BUGS: readonly PlantedBug[] = [
  { name: 'acknowledges before it is synced', defect: 'acknowledges-before-sync' },
  { name: 'forgets in a restart which commands were carried out', defect: 'remembers-commands-in-memory' },
  { name: 'acknowledges what it never wrote', defect: 'acknowledges-without-writing' },
  { name: 'carries a command out as often as it comes', store: withAppend(withoutCommand) },
  { name: 'looks at no lease', store: withoutLeases },
  { name: 'reads from one entry too far', store: reading((after) => after + 1) },
  { name: 'reads from one entry too early', store: reading((after) => Math.max(0, after - 1)) },
  { name: 'publishes before it is durable', store: publishingFirst },
  { name: 'does not wait for the write', store: withAppend((append, store) => answeredAtOnce(append, store)) },
  { name: 'keeps nothing of what streams', store: (store) => ({ ...store, appendDrafts: async () => [] }) },
  { name: 'loses the end of a stopped answer', store: changedEntries(stopped((text) => text.slice(0, -1))) },
  { name: 'keeps what came after the stop', store: changedEntries(stopped((text) => `${text} late`)) },
  { name: 'takes a failed read for an empty log', store: emptyForFailed },
  { name: 'repairs what it reads, in memory only', store: repairing },
  { name: 'writes what belongs together one by one', store: withAppend(oneByOne) },
  {
    name: 'records usage twice',
    store: changedEntries((entry) => (entry.type === 'usage-recorded' ? [entry, entry] : [entry])),
  },
  {
    name: 'records no usage of a failed request',
    store: changedEntries((entry) => (entry.type === 'usage-recorded' && entry.outcome === 'failed' ? [] : [entry])),
  },
  { name: 'tries again after the first content', store: withAppend(tryingAgain) },
  {
    name: 'leaves calls open at a stop',
    store: changedEntries((entry) =>
      entry.type === 'tool-call-settled' && entry.outcome === 'not-started' ? [] : [entry],
    ),
  },
  {
    name: 'ends a run twice',
    store: changedEntries((entry) => (entry.type === 'run-finished' ? [entry, entry] : [entry])),
  },
  {
    name: 'goes on with the queue after a stop',
    store: changedEntries((entry) => (entry.type === 'queue-held' && entry.actor.type === 'engine' ? [] : [entry])),
  },
  {
    name: 'settles a call twice',
    store: changedEntries((entry) => (entry.type === 'tool-call-settled' ? [entry, entry] : [entry])),
  },
  { name: 'goes on asking when it is told to close', engine: (engine) => ({ ...engine, close: () => NEVER }) },
  { name: 'leaves calls running whose run has ended', tool: (tool) => ({ ...tool, run: deaf(tool.run) }) },
  { name: 'keeps drafts of what has ended', store: withAppend(keepingDrafts) },
  {
    name: 'starts a tool before its intent is durable',
    store: withAppend((append, store) =>
      append.entries.some(({ type }) => type === 'tool-call-started')
        ? answeredAtOnce(append, store)
        : store.append(append),
    ),
  },
  {
    name: 'starts a tool again that has run',
    store: changedEntries((entry) => (entry.type === 'tool-call-started' ? [entry, entry] : [entry])),
  },
  { name: 'remembers a yes for other arguments', store: changedEntries(wideningRule) },
  { name: 'takes two answers to one request', engine: answeringTwice },
  {
    name: 'lets anybody answer',
    engine: (engine) => ({
      ...engine,
      answerPermission: (asked) => engine.answerPermission({ ...asked, actor: { type: 'person', userId: 'user_1' } }),
    }),
  },
  { name: 'takes a no for a yes', store: changedEntries(takingNoForYes) },
  {
    name: 'forgets a request to stop',
    store: changedEntries((entry) => (entry.type === 'stop-requested' && entry.mode !== 'interrupt' ? [] : [entry])),
  },
  {
    name: 'counts silence by the wall clock',
    clock: (clock) => ({ ...clock, monotonicMs: () => clock.now() }),
  },
  {
    name: 'sets aside more than was asked',
    store: changedEntries((entry) => [entry.type === 'path-rewound' ? { ...entry, toSeq: 0 } : entry]),
  },
  {
    name: 'goes on where it was, after an edit',
    store: changedEntries((entry) => (entry.type === 'path-rewound' ? [] : [entry])),
  },
  { name: 'keeps the lease of what is at rest', store: keepingLeases },
  { name: 'never looks for leases that ran out', store: (store) => ({ ...store, expiredLeases: async () => [] }) },
  ...PLANTED_CANVAS_BUGS,
  ...PLANTED_ASIDE_BUGS,
]

/** Does not end. */
const NEVER = new Promise<never>(() => {})

/** Hears of no end. */
function deaf(run: Tool['run']): Tool['run'] {
  return (input, context) => run(input, { ...context, signal: new AbortController().signal })
}

async function keepingDrafts({ dropDraft: _, ...append }: Append, store: EntryStore): Promise<Appended> {
  return store.append(append)
}

function placed({ entries: asked, conversationId, after, at }: Append): Appended {
  const stored = asked.map((entry, index) => placeEntry(entry, { conversationId, seq: after + index + 1, at }))
  return { entries: stored, repeated: false }
}

async function withoutCommand({ command: _, ...append }: Append, store: EntryStore): Promise<Appended> {
  return append.entries.length === 0 ? { entries: [], repeated: false } : store.append(append)
}

/** Nobody waits for the write; what becomes of it is never heard. */
async function answeredAtOnce(append: Append, store: EntryStore): Promise<Appended> {
  store.append(append).catch(() => {})
  return placed(append)
}

function publishingFirst(store: EntryStore, { bus }: Parameters<Plant>[1]): EntryStore {
  return {
    ...store,
    append: (append) => {
      const { conversationId } = append
      if (append.entries.length > 0) bus.publish({ type: 'entries', conversationId, entries: placed(append).entries })
      return store.append(append)
    },
  }
}

async function oneByOne({ entries: asked, ...append }: Append, store: EntryStore): Promise<Appended> {
  const [first, ...rest] = asked
  if (!first) return store.append({ ...append, entries: asked })
  const { command: _, dropDraft: __, ...more } = append
  const written = [...(await store.append({ ...append, entries: [first] })).entries]
  for (const entry of rest) {
    const { entries: next } = await store.append({ ...more, after: append.after + written.length, entries: [entry] })
    written.push(...next)
  }
  return { entries: written, repeated: false }
}

function keepingLeases(store: EntryStore): EntryStore {
  return {
    ...store,
    append: ({ release: _, ...append }) => store.append(append),
    releaseLease: async () => true,
  }
}

function withoutLeases(store: EntryStore): EntryStore {
  return {
    ...store,
    append: ({ epoch: _, ...append }) => store.append(append),
    appendDrafts: async (chunks) => {
      await store.appendDrafts(chunks)
      return []
    },
    acquireLease: async (request) => {
      const { conversationId, holder } = request
      return (await store.acquireLease(request)) ?? { conversationId, holder, epoch: 1, expiresAt: 0 }
    },
  }
}

function reading(from: (after: number) => number): Plant {
  return (store) => ({
    ...store,
    read: (query) =>
      query.after === undefined ? store.read(query) : store.read({ ...query, after: from(query.after) }),
  })
}

function emptyForFailed(store: EntryStore): EntryStore {
  return {
    ...store,
    read: async (query) => {
      try {
        return await store.read(query)
      } catch {
        return { entries: [], head: 0 }
      }
    },
  }
}

function repairing(store: EntryStore): EntryStore {
  return {
    ...store,
    read: async (query) => {
      const page = await store.read(query)
      return {
        ...page,
        entries: page.entries.map((entry) => (entry.type === 'user-message-sent' ? trimmed(entry) : entry)),
      }
    },
  }
}

function trimmed<Sent extends { readonly content: readonly { readonly type: string }[] }>(entry: Sent): Sent {
  const content = entry.content.map((part) => (part.type === 'text' ? { ...part, text: 'Repaired' } : part))
  return { ...entry, content }
}

/** Changes the words of answers that were stopped. */
function stopped(change: (text: string) => string): (entry: NewEntry) => readonly NewEntry[] {
  return (entry) => {
    if (entry.type !== 'step-finished' || entry.cut !== 'stopped') return [entry]
    const blocks = entry.blocks.map((block) => (block.type === 'text' ? { ...block, text: change(block.text) } : block))
    return [{ ...entry, blocks }]
  }
}

async function tryingAgain(append: Append, store: EntryStore): Promise<Appended> {
  const answered = append.entries.some(({ type }) => type === 'step-finished')
  const failed = append.entries.some(({ type }) => type === 'step-failed')
  if (!answered || !failed) return store.append(append)
  const kept = append.entries.filter(
    ({ type }) => type !== 'run-finished' && type !== 'stop-noted' && type !== 'queue-held',
  )
  const again = kept.map((entry) => (entry.type === 'step-failed' ? { ...entry, retryAt: append.at + 10 } : entry))
  return store.append({ ...append, entries: again })
}

function wideningRule(entry: NewEntry): readonly NewEntry[] {
  if (entry.type !== 'permission-rule-changed' || !entry.rule) return [entry]
  const { pattern: _, ...rule } = entry.rule
  return [{ ...entry, rule }]
}

function takingNoForYes(entry: NewEntry): readonly NewEntry[] {
  return [entry.type === 'permission-settled' && entry.by === 'person' ? { ...entry, outcome: 'allowed' } : entry]
}

/** Writes every answer down, also one to a request that was settled. */
function answeringTwice(engine: Parameters<NonNullable<PlantedBug['engine']>>[0], store: EntryStore): typeof engine {
  return {
    ...engine,
    async answerPermission(asked) {
      const answer = await engine.answerPermission(asked)
      if (answer.accepted || asked.actor.type !== 'person') return answer
      const { conversationId, requestId, actor } = asked
      const { head } = await store.read({ conversationId, after: 0, limit: 1 })
      const settled: NewEntry = { type: 'permission-settled', actor, requestId, outcome: 'allowed', by: 'person' }
      await store.append({ conversationId, after: head, at: 0, entries: [settled] }).catch(() => {})
      return answer
    },
  }
}
