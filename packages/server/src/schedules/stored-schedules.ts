import { allRecords, endOfFeed, type Records, type StoredRecord } from '@holdfast/conversation'
import { SCHEDULE, SHELF, type StoredSchedule } from './schedule-record.ts'

/** A schedule with its id and revision. */
export type ScheduleRecord = StoredRecord<StoredSchedule>

/** The schedules of an installation as they were read last. */
export interface StoredSchedules {
  all(): readonly ScheduleRecord[]
  get(id: string): ScheduleRecord | undefined
  /** Those that answer in a conversation, or wait for an end in it; by what is in memory, whose ever they are. [SCHED52] */
  about(conversationId: string): readonly ScheduleRecord[]
  /** Reads one anew; undefined for one that is gone. */
  read(id: string): Promise<ScheduleRecord | undefined>
  /** @throws {RevisionConflictError} */
  put(write: {
    readonly id: string
    readonly revision: number
    readonly value: StoredSchedule
    readonly at: number
  }): Promise<ScheduleRecord>
  /** @throws {RevisionConflictError} */
  remove(record: Pick<ScheduleRecord, 'id' | 'revision'>): Promise<void>
  /** What was written with entries is known here from now on. */
  keep(record: ScheduleRecord): void
  /** Reads what others have written since. */
  refresh(): Promise<void>
}

/** So many changes of the feed are read at once. */
const PAGE = 500

/** Keeps them in memory beside the records, by the feed of changes. */
export function createStoredSchedules({
  records,
  onChange,
}: {
  readonly records: Records
  /** Told of each that is new or another, and of those that are gone. */
  readonly onChange: (id: string) => void
}): StoredSchedules {
  const known = new Map<string, ScheduleRecord>()
  const byConversation = new Map<string, Set<string>>()
  let cursor: number | null = null

  function keep(record: ScheduleRecord): void {
    if ((known.get(record.id)?.revision ?? 0) >= record.revision) return
    place(record.id, record)
    onChange(record.id)
  }

  function forget(id: string): void {
    if (!known.has(id)) return
    place(id, null)
    onChange(id)
  }

  function place(id: string, record: ScheduleRecord | null): void {
    for (const conversationId of conversationsOf(known.get(id))) {
      const ids = byConversation.get(conversationId)
      ids?.delete(id)
      if (ids?.size === 0) byConversation.delete(conversationId)
    }
    if (record === null) known.delete(id)
    else known.set(id, record)
    for (const conversationId of conversationsOf(known.get(id)))
      byConversation.set(conversationId, (byConversation.get(conversationId) ?? new Set()).add(id))
  }

  async function read(id: string): Promise<ScheduleRecord | undefined> {
    const record = await records.get(SCHEDULE, { ownerId: SHELF, id })
    if (record) keep(record)
    else forget(id)
    return record ?? undefined
  }

  return {
    all: () => [...known.values()],
    get: (id) => known.get(id),
    about: (conversationId) => [...(byConversation.get(conversationId) ?? [])].flatMap((id) => known.get(id) ?? []),
    read,
    keep,
    async put({ id, revision, value, at }) {
      const record = await records.put(SCHEDULE, { ownerId: SHELF, id, revision, value, at })
      keep(record)
      return record
    },
    async remove({ id, revision }) {
      await records.remove(SCHEDULE, { ownerId: SHELF, id, revision })
      forget(id)
    },
    async refresh() {
      if (cursor === null) {
        const end = await endOfFeed(records, 0)
        for (const record of await allRecords(records, SCHEDULE, SHELF)) keep(record)
        cursor = end
        return
      }
      for (;;) {
        const page = await records.changes(cursor, PAGE)
        for (const { kind, id } of page) if (kind === SCHEDULE.kind) await read(id)
        cursor = page.at(-1)?.change ?? cursor
        if (page.length < PAGE) return
      }
    },
  }
}

/** The conversations that a schedule names. */
function conversationsOf(record: ScheduleRecord | undefined): readonly string[] {
  if (record === undefined) return []
  const { target, rule } = record.value
  return [...(target === 'new' ? [] : [target]), ...(rule.type === 'after-conversation' ? [rule.conversationId] : [])]
}
