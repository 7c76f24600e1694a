import { isTimed } from '../decide-due.ts'
import type { StoredSchedule } from '../schedule-record.ts'
import type { Scheduler } from '../scheduler.ts'
import type { ScheduleRecord, StoredSchedules } from '../stored-schedules.ts'
import { MalformedScheduleError } from '../times/read-cron.ts'
import { ruleInWords } from './rule-in-words.ts'

/** A conversation, with the schedule whose run began it; null for none. */
export interface ConcernedConversation {
  readonly conversationId: string
  readonly scheduleId: string | null
}

/** The schedules that concern a conversation. */
export interface AboutConversation {
  readonly shown: readonly AboutSchedule[]
  /** How many more there are. */
  readonly restCount: number
}

/** One of them, as a model is told it. */
export interface AboutSchedule extends Pick<StoredSchedule, 'name' | 'text' | 'timeZone'> {
  /** When it runs, or what sets it off, in words. */
  readonly when: string
  /** Milliseconds since the Unix epoch; null where it is not on, or waits for no time. */
  readonly nextAt: number | null
  readonly standing: 'on' | 'paused' | 'paused-itself' | 'over'
  /** What it has to do with the conversation. */
  readonly ties: readonly ('answers' | 'began' | 'waits')[]
}

/** Where a next run is looked for: further ones are counted. */
const MOST_SHOWN = 20

/** Finds them in memory: it is asked before each request of a model. [SCHED52] */
export function aboutConversation(
  { stored, tableOf }: Pick<Scheduler, 'stored' | 'tableOf'>,
  userId: string,
  conversation: ConcernedConversation,
): AboutConversation {
  const found = concerning(stored, conversation)
    .filter(({ value }) => value.ownerId === userId)
    .toSorted(
      (one, other) =>
        Number(other.value.isOn) - Number(one.value.isOn) ||
        one.value.name.localeCompare(other.value.name) ||
        one.id.localeCompare(other.id),
    )
  const nameOf = (id: string): string | null => {
    const named = stored.get(id)?.value
    return named?.ownerId === userId ? named.name : null
  }
  const shown = found.slice(0, MOST_SHOWN).map((record): AboutSchedule => {
    const { name, text, timeZone } = record.value
    const nextAt = nextOf(record.value, tableOf)
    return {
      name,
      text,
      timeZone,
      when: whenOf(record.value, { conversationId: conversation.conversationId, nameOf }),
      nextAt,
      standing: standingOf(record.value, nextAt),
      ties: tiesOf(record, conversation),
    }
  })
  return { shown, restCount: found.length - shown.length }
}

function concerning(
  { about, get }: Pick<StoredSchedules, 'about' | 'get'>,
  { conversationId, scheduleId }: ConcernedConversation,
): readonly ScheduleRecord[] {
  const named = about(conversationId)
  const began = scheduleId === null ? undefined : get(scheduleId)
  return began === undefined || named.some(({ id }) => id === began.id) ? named : [...named, began]
}

/** A time is in the zone of the schedule, as its owner gave it. */
function whenOf({ rule, timeZone, delayMs }: StoredSchedule, names: Parameters<typeof ruleInWords>[1]): string {
  const words = ruleInWords(rule, names)
  if (!isTimed(rule)) return words
  const later = delayMs === undefined || delayMs === 0 ? '' : `, later by ${Math.round(delayMs / 60_000)} minutes`
  return `${words} (${timeZone})${later}`
}

function nextOf(value: StoredSchedule, tableOf: Scheduler['tableOf']): number | null {
  if (!value.isOn) return null
  try {
    return tableOf(value).after(value.cursor, 1)[0] ?? null
  } catch (error) {
    // A zone that this version of the zone database does not have any more: the scheduler has said so.
    if (error instanceof MalformedScheduleError) return null
    throw error
  }
}

function standingOf(
  { isOn, rule, last, pausedReason }: StoredSchedule,
  nextAt: number | null,
): AboutSchedule['standing'] {
  if (isOn) return isTimed(rule) && nextAt === null ? 'over' : 'on'
  if (rule.type === 'after-conversation' && last !== null) return 'over'
  return pausedReason === null ? 'paused' : 'paused-itself'
}

function tiesOf(
  { id, value: { target, rule } }: ScheduleRecord,
  { conversationId, scheduleId }: ConcernedConversation,
): AboutSchedule['ties'] {
  return [
    ...(target === conversationId ? (['answers'] as const) : []),
    ...(id === scheduleId ? (['began'] as const) : []),
    ...(rule.type === 'after-conversation' && rule.conversationId === conversationId ? (['waits'] as const) : []),
  ]
}
