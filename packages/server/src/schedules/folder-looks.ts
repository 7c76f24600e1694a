import type { Clock } from '@holdfast/conversation'
import { RefusedError } from '../parts/to-problem.ts'
import { withoutPause, withoutQueued } from './occurrence-lines.ts'
import type { StoredSchedule } from './schedule-record.ts'
import type { ScheduleRecord, StoredSchedules } from './stored-schedules.ts'
import type { Triggers } from './triggers.ts'

/** Looks at folders of workspaces. */
export interface Folders {
  /**
   * What tells two states of a folder apart, by names, sizes and times of its files; null where it is not there.
   *
   * @throws {RefusedError} for what lies outside of its workspace, and for more files than are looked at.
   */
  look(place: FolderPlace): Promise<string | null>
}

/** A folder within a workspace that a person may use. */
export interface FolderPlace {
  readonly userId: string
  readonly workspaceId: string | undefined
  /** Relative to the root; empty for that itself. */
  readonly path: string
}

/** Between two looks, in milliseconds: what is the same in two of them rests. */
const LOOK_MS = 5_000
/** A folder that never rests sets off a run after so long. */
const LONGEST_UNREST_MS = 60_000
/** Between two runs that one folder sets off. */
const SHORTEST_MS = 60_000

interface Seen {
  readonly print: string | null
  /** Since when it differs from what is kept; null where it does not. */
  readonly since: number | null
}

/** Has the folders of schedules looked at while there are any. @returns what looks anew who is to be looked at, and ends it. [SCHED23] */
export function createFolderLooks(deps: {
  readonly stored: StoredSchedules
  readonly triggers: Triggers
  readonly folders: Folders
  readonly clock: Clock
  readonly sha256: (text: string) => string
  readonly inBackground: (work: Promise<void>) => void
}): { plan(): void; close(): void } {
  const { stored, triggers, folders, clock, sha256 } = deps
  const seen = new Map<string, Seen>()
  let cancel: (() => void) | null = null

  function watched(): readonly ScheduleRecord[] {
    return stored.all().filter(({ value }) => value.isOn && value.rule.type === 'folder')
  }

  function plan(): void {
    if (watched().length === 0) {
      cancel?.()
      cancel = null
      seen.clear()
      return
    }
    cancel ??= clock.after(LOOK_MS, () => deps.inBackground(lookAtAll().finally(again)))
  }

  function again(): void {
    cancel = null
    plan()
  }

  async function lookAtAll(): Promise<void> {
    for (const record of watched()) await lookAt(record)
  }

  async function lookAt({ id, value }: ScheduleRecord): Promise<void> {
    const { rule, ownerId: userId, workspaceId, open, folder } = value
    // What changes while its own run is at work is the run's.
    if (rule.type !== 'folder' || open.length > 0) return
    const print = await lookSafely(id, { userId, workspaceId, path: rule.path })
    if (print === null) return
    const now = clock.now()
    const kept = folder?.seen ?? null
    if (kept === null) return keep(id, print)
    const before = seen.get(id)
    const since = print === kept ? null : (before?.since ?? now)
    seen.set(id, { print, since })
    // A clock that was set back found the last time in the future.
    if (since === null || Math.abs(now - (folder?.at ?? 0)) < SHORTEST_MS) return
    if (before?.print !== print && now - since < LONGEST_UNREST_MS) return
    const said = [
      { type: 'text' as const, text: `Files in ${rule.path === '' ? 'the workspace' : rule.path} changed.` },
    ]
    const source = sha256(`${id} ${kept} ${print}`).slice(0, 16)
    await triggers.fire(id, { at: now, cause: 'folder', source, chain: 0, said }, (current) =>
      current.folder?.seen === kept ? { ...current, folder: { seen: print, at: now } } : null,
    )
  }

  /** Where it cannot be looked at any more the schedule pauses itself, and says why. */
  async function lookSafely(id: string, place: FolderPlace): Promise<string | null> {
    try {
      return await folders.look(place)
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error
      await change(id, (value) => ({ ...withoutQueued(withoutPause(value)), isOn: false, pausedReason: error.message }))
      return null
    }
  }

  function keep(id: string, print: string): Promise<void> {
    return change(id, (value) => ({ ...value, folder: { seen: print, at: value.folder?.at ?? 0 } }))
  }

  async function change(id: string, next: (value: StoredSchedule) => StoredSchedule): Promise<void> {
    const record = await stored.read(id)
    if (record) await stored.put({ id, revision: record.revision, value: next(record.value), at: clock.now() })
  }

  return {
    plan,
    close() {
      cancel?.()
      cancel = null
    },
  }
}
