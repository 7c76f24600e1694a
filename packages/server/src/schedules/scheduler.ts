import type { Clock, EntryLog, Ids, InputPart, Random, Records } from '@holdfast/conversation'
import type { Engine, LiveBus } from '@holdfast/engine'
import { createAfterRuns } from './after-runs.ts'
import { createBackgroundWork } from './background-work.ts'
import { createCatchUps } from './catch-ups.ts'
import { createClaims } from './claims.ts'
import { type DueTime, nextDue } from './decide-due.ts'
import { decideSchedule } from './decide-schedule.ts'
import { createDueTimes } from './due-times.ts'
import { createFolderLooks, type Folders } from './folder-looks.ts'
import { createHooks, type Hooks } from './hooks.ts'
import { createOpenRunWatch } from './open-run-watch.ts'
import { createOpenRuns } from './open-runs.ts'
import { runNow } from './run-now.ts'
import type { Occurrence, StoredSchedule } from './schedule-record.ts'
import { createBehindWatch, foundAt, untaken } from './set-back.ts'
import { createSettlements } from './settlements.ts'
import { createStoredSchedules, type ScheduleRecord, type StoredSchedules } from './stored-schedules.ts'
import { createTables } from './times/tables.ts'
import type { Timetable } from './times/timetable.ts'
import { createTriggers } from './triggers.ts'

/** What sets off the runs of schedules in one process; others on the same store may do so too. [SCHED1] */
export interface Scheduler {
  readonly stored: StoredSchedules
  readonly hooks: Hooks
  readonly tableOf: (value: StoredSchedule) => Timetable
  /** Reads the schedules and begins. */
  start(): Promise<void>
  /** Reads what other processes on the store have changed. */
  refresh(): Promise<void>
  /** Runs one now, whatever its rule says, beside that: nothing of the rule is used up. @throws {RefusedCommandError} */
  runNow(id: string): Promise<Occurrence>
  /** Tells whose schedule is new or another. @returns what ends that. */
  subscribe(listener: (ownerId: string) => void): () => void
  /** Begins nothing more. */
  close(): Promise<void>
}

/** What it works with. */
export interface SchedulerDeps {
  readonly records: Records
  readonly log: Pick<EntryLog, 'read'>
  readonly engine: Pick<Engine, 'admitOccurrence' | 'resume'>
  readonly bus: Pick<LiveBus, 'subscribeToAll'>
  readonly clock: Clock
  readonly ids: Ids
  readonly random: Random
  readonly sha256: (text: string) => string
  /** Of the installation: the secrets of addresses follow from it. */
  readonly secret: Uint8Array
  readonly folders: Folders
  /** The words of a conversation, as one who points at it sends them; null where it is not there. */
  readonly wordsOf: (of: { readonly userId: string; readonly conversationId: string }) => Promise<InputPart | null>
  readonly onFault: (error: unknown) => void
}

/** What failed for the store is tried again after so long. */
const RETRY_MS = 5_000
/** By any clock. */
const AT_ONCE: DueTime = { at: Number.NEGATIVE_INFINITY, notBefore: Number.NEGATIVE_INFINITY }

/** Makes the scheduler of a process. */
export function createScheduler(deps: SchedulerDeps): Scheduler {
  const { records, clock, ids, engine, random, sha256, onFault } = deps
  const listeners = new Set<(ownerId: string) => void>()
  const retries = new Set<() => void>()
  let isClosing = false
  let isStarted = false
  const work = createBackgroundWork(onFault)
  const tables = createTables()
  const tableOf = (value: StoredSchedule): Timetable => untaken(value, tables(value))
  const behind = createBehindWatch(clock)
  const stored = createStoredSchedules({ records, onChange: changed })
  const openRuns = createOpenRuns(stored)
  const catchUps = createCatchUps(openRuns.lateOf)
  const claims = createClaims({ stored, records, engine, clock, ids, sha256 })
  const triggers = createTriggers({ stored, records, claims, clock })
  const hooks = createHooks({ stored, triggers, clock, ids, secret: deps.secret })
  const afterRuns = createAfterRuns({ stored, triggers, log: deps.log, sha256, wordsOf: deps.wordsOf })
  const settleOpen = createSettlements({
    stored,
    records,
    log: deps.log,
    clock,
    beforeSeen: afterRuns.scheduleEnded,
    afterSeen({ ownerId }, { isLate }) {
      if (isLate) for (const { id, value } of stored.all()) if (value.ownerId === ownerId) changed(id)
      if (due.hasAny()) due.look()
    },
  })
  const due = createDueTimes({ clock, random, work, decide })
  const openRunWatch = createOpenRunWatch({ openRuns, settleOpen, engine, clock, random, work })
  const folderLooks = createFolderLooks({
    stored,
    triggers,
    folders: deps.folders,
    clock,
    sha256,
    inBackground: work.add,
  })
  const unsubscribe = deps.bus.subscribeToAll((message) => {
    const isEnd =
      message.type === 'grown' ||
      (message.type === 'entries' &&
        message.entries.some(({ type }) => type === 'run-finished' || type === 'input-removed'))
    if (isEnd) ended(message.conversationId)
  })

  function ended(conversationId: string): void {
    openRunWatch.ended(conversationId)
    if (!isClosing && afterRuns.isAwaited(conversationId)) work.add(afterRuns.lookAt(conversationId))
  }

  function changed(id: string): void {
    openRuns.changed(id)
    const record = stored.get(id)
    due.set(id, record ? dueOf(record) : null)
    if (record) for (const listener of listeners) listener(record.value.ownerId)
    if (isStarted) plan()
  }

  function dueOf(record: ScheduleRecord): DueTime | null {
    const value = foundAt(record.value, clock.now())
    if (value.isOn && value.queuedAt !== null && value.open.length === 0) return AT_ONCE
    try {
      return nextDue(value, tableOf(value))
    } catch (error) {
      // A zone that the next version of the zone database does not have any more.
      onFault(error)
      return null
    }
  }

  function plan(): void {
    if (isClosing) return
    due.plan()
    folderLooks.plan()
    openRunWatch.plan()
  }

  async function decide(id: string): Promise<void> {
    try {
      await decideSchedule(
        { stored, records, claims, clock, behind, tableOf, catchUps },
        { id, isClosing: () => isClosing, defer: (next) => due.set(id, next) },
      )
    } catch (error) {
      onFault(error)
      due.set(id, null)
      tryLater(id)
    }
  }

  function tryLater(id: string): void {
    if (isClosing) return
    const cancel = clock.after(RETRY_MS, () => {
      retries.delete(cancel)
      changed(id)
      // It is looked at, whether it is due or not: what failed may have left a line unwritten.
      if (stored.get(id)) due.set(id, AT_ONCE)
      plan()
    })
    retries.add(cancel)
  }

  /** Who died between a decision and its line of the history left that to whoever starts next. [SCHED31] */
  async function healAll(): Promise<void> {
    for (const record of stored.all()) await claims.heal(record)
  }

  async function lookForEnds(): Promise<void> {
    for (const conversationId of afterRuns.awaited()) await afterRuns.lookAt(conversationId)
  }

  return {
    stored,
    hooks,
    tableOf,
    async start() {
      await stored.refresh()
      isStarted = true
      openRunWatch.look()
      work.add(lookForEnds())
      work.add(healAll())
      plan()
    },
    refresh: stored.refresh,
    runNow: (id) => runNow({ stored, claims, clock }, id),
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async close() {
      isClosing = true
      unsubscribe()
      for (const cancel of retries) cancel()
      due.close()
      folderLooks.close()
      openRunWatch.close()
      await work.rest()
    },
  }
}
