import {
  type Append,
  type Appended,
  type Entry,
  type EntryStore,
  MAX_PAGE_ENTRIES,
  type NewEntry,
} from '@holdfast/conversation'

/** What a store is found to have done to what was asked of it. Every list is empty, or the store is wrong. */
export interface HistoryReport {
  /** Entries of which an answer said that they are durable. */
  readonly acknowledged: number
  /** Entries that were sent, acknowledged or not; a repeated command counts once. */
  readonly attempted: number
  /** Acknowledged entries that are not at their place, byte for byte. */
  readonly lost: readonly string[]
  /** Entries that are there more often than they were asked for. */
  readonly doubled: readonly string[]
  /** Appends of which some entries are there and others are not. */
  readonly torn: readonly string[]
  /** Places in a log that are missing or out of order. */
  readonly gaps: readonly string[]
  /** Repeated commands that were answered with something else than the first time. */
  readonly contradicted: readonly string[]
}

/**
 * What a driver asked of a store and was told, kept outside of the store. It knows entries by their content:
 * what is torn is seen only in appends whose entries no other append has.
 */
export interface DriverHistory {
  /** Appends, and remembers the attempt and the answer. */
  append(store: Pick<EntryStore, 'append'>, append: Append): Promise<Appended>
  /** Reads every log of the history from the store and compares. [LOG1, LOG2, LOG3, LOG4] */
  check(store: Pick<EntryStore, 'read'>): Promise<HistoryReport>
}

/** Something that was asked for once, however often it was sent. */
interface Effect {
  readonly conversationId: string
  readonly contents: readonly string[]
  /** The entries of the first answer, as text; null before one. */
  answer: readonly string[] | null
}

/** A history in which nothing has happened. */
export function createDriverHistory(): DriverHistory {
  const effects = new Map<string, Effect>()
  const contradicted: string[] = []

  function effectOf({ conversationId, entries, command }: Append): Effect {
    const key = JSON.stringify(
      command ? [conversationId, command.commandId] : [conversationId, 'attempt', effects.size],
    )
    const known = effects.get(key)
    if (known) return known
    const effect: Effect = { conversationId, contents: entries.map(contentOf), answer: null }
    effects.set(key, effect)
    return effect
  }

  return {
    async append(store, append) {
      const effect = effectOf(append)
      const appended = await store.append(append)
      const answer = appended.entries.map(canonical)
      if (effect.answer && JSON.stringify(effect.answer) !== JSON.stringify(answer)) {
        contradicted.push(`${append.command?.commandId} of ${append.conversationId}: ${answer.join()}`)
      }
      effect.answer ??= answer
      return appended
    },

    async check(store) {
      const all = [...effects.values()]
      const findings = await Promise.all(
        [...new Set(all.map(({ conversationId }) => conversationId))].map(async (conversationId) =>
          compare(
            all.filter((effect) => effect.conversationId === conversationId),
            await readWhole(store, conversationId),
          ),
        ),
      )
      return {
        acknowledged: all.reduce((sum, { answer }) => sum + (answer?.length ?? 0), 0),
        attempted: all.reduce((sum, { contents }) => sum + contents.length, 0),
        lost: findings.flatMap(({ lost }) => lost),
        doubled: findings.flatMap(({ doubled }) => doubled),
        torn: findings.flatMap(({ torn }) => torn),
        gaps: findings.flatMap(({ gaps }) => gaps),
        contradicted: [...contradicted],
      }
    },
  }
}

type Findings = Pick<HistoryReport, 'lost' | 'doubled' | 'torn' | 'gaps'>

/** Compares one log with what was asked of it. */
function compare(effects: readonly Effect[], log: readonly Entry[]): Findings {
  const stored = new Set(log.map(canonical))
  const found = countsOf(log.map((entry) => contentOf(entry)))
  const asked = countsOf(effects.flatMap(({ contents }) => contents))
  return {
    lost: effects.flatMap(({ answer }) => answer ?? []).filter((entry) => !stored.has(entry)),
    doubled: [...found].filter(([content, count]) => count > (asked.get(content) ?? 0)).map(([content]) => content),
    torn: effects
      .filter(({ contents }) => contents.every((content) => asked.get(content) === 1))
      .filter(({ contents }) => new Set(contents.map((content) => found.has(content))).size > 1)
      .map(({ contents }) => contents.join()),
    gaps: log
      .filter((entry, index) => entry.seq !== index + 1)
      .map(({ conversationId, seq }, index) => `${seq} stands at place ${index + 1} of ${conversationId}`),
  }
}

function countsOf(contents: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const content of contents) counts.set(content, (counts.get(content) ?? 0) + 1)
  return counts
}

/** An entry without its place, the same as text before and after it was stored. */
function contentOf(entry: NewEntry | Entry): string {
  const content: Record<string, unknown> = { ...entry }
  for (const place of ['conversationId', 'seq', 'at', 'v']) delete content[place]
  return canonical(content)
}

/** The value as text, the same whatever the order of its keys. */
function canonical(content: object): string {
  return JSON.stringify(content, (_, value: unknown) => (isPlain(value) ? sorted(value) : value))
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function sorted(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Pages through a log until nothing comes; what a page repeats or leaves out is left as it is. */
async function readWhole(store: Pick<EntryStore, 'read'>, conversationId: string): Promise<Entry[]> {
  const entries: Entry[] = []
  while (true) {
    const last = entries.at(-1)?.seq ?? 0
    const page = await store.read({ conversationId, after: last, limit: MAX_PAGE_ENTRIES })
    entries.push(...page.entries)
    if ((page.entries.at(-1)?.seq ?? 0) <= last) return entries
  }
}
