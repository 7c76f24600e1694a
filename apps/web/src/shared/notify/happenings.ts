import type { ConversationRow } from '@holdfast/protocol'

/** What a person is told of who does not look. */
export const HAPPENINGS = ['needs-you', 'finished', 'failed'] as const

/** One of them. */
export type HappeningKind = (typeof HAPPENINGS)[number]

/** What a browser tells of: these, and what schedules brought. */
export const NOTIFY_KINDS = [...HAPPENINGS, 'schedules'] as const

/** One of them. */
export type NotifyKind = (typeof NOTIFY_KINDS)[number]

/** Something that happened in a conversation. */
export interface Happening {
  readonly kind: HappeningKind
  readonly row: ConversationRow
  /** How long the turn has been seen running, in milliseconds. */
  readonly tookMs: number
}

/** Sees by the rows of the list what happens. */
export interface HappeningWatch {
  /** What has happened since the rows before. The first rows are what was there already. */
  read(rows: readonly ConversationRow[], now: number): readonly Happening[]
}

/** Makes a watch. */
export function createHappeningWatch(): HappeningWatch {
  let known: ReadonlyMap<string, ConversationRow['state']> | null = null
  const runningSince = new Map<string, number>()
  return {
    read(rows, now) {
      const before = known
      known = new Map(rows.map(({ id, state }) => [id, state]))
      const found: Happening[] = []
      for (const row of rows) {
        const was = before?.get(row.id)
        const since = runningSince.get(row.id) ?? now
        if (row.state === 'running') runningSince.set(row.id, since)
        else runningSince.delete(row.id)
        const kind = before === null || was === row.state ? null : kindOf(was, row.state)
        if (kind !== null) found.push({ kind, row, tookMs: now - since })
      }
      return found
    },
  }
}

function kindOf(was: ConversationRow['state'] | undefined, is: ConversationRow['state']): HappeningKind | null {
  switch (is) {
    case 'waiting-for-permission':
    case 'waiting-for-answer':
      return 'needs-you'
    case 'idle':
      return was === 'running' ? 'finished' : null
    case 'failed':
    case 'interrupted':
      return was === 'running' ? 'failed' : null
    case 'running':
    case 'queue-held':
      return null
  }
}
