import type { OccurrenceRow, ScheduleRow } from '@holdfast/protocol'
import { plainText } from './plain-text.ts'

/** A schedule as a line: id, name, when, what comes next, what runs, and what came last. */
export function lineOf(row: ScheduleRow): string {
  const { id, name, isOn, nextAt, pausedReason, last, rule, timeZone, hookPath, openRuns } = row
  const isTimed = rule.type === 'cron' || rule.type === 'rrule' || rule.type === 'once'
  const due = !isTimed ? 'waits' : nextAt === null ? 'over' : `next ${timeOf(nextAt)}`
  const next = isOn ? due : (pausedReason ?? 'paused')
  const when = isTimed ? `${wordsOf(rule)} ${timeZone}` : (hookPath ?? wordsOf(rule))
  const open = openRuns.length === 0 ? [] : [`${openRuns.length} running`]
  const words = [id, name, when, next, ...open, last === null ? 'never ran' : `last ${last.state}`]
  return words.map((word) => plainText(word.replaceAll(/\s+/g, ' '))).join('  ')
}

function wordsOf(rule: ScheduleRow['rule']): string {
  switch (rule.type) {
    case 'cron':
      return rule.expression
    case 'rrule':
      return rule.text
    case 'once':
      return rule.at
    case 'hook':
      return 'a call from outside'
    case 'after-schedule':
      return `after ${rule.scheduleId}`
    case 'after-conversation':
      return `after ${rule.conversationId}`
    case 'folder':
      return `changes in ${rule.path === '' ? '.' : rule.path}`
  }
}

const CAUSES = {
  clock: '',
  person: 'by hand',
  hook: 'by a call',
  run: 'after another run',
  folder: 'by a change',
} as const

/** A run as a line of the history. */
export function lineOfRun({ plannedAt, cause, state, reason, costUsd, conversationId }: OccurrenceRow): string {
  const cost = costUsd === null ? '' : `$${costUsd.toFixed(4)}`
  return [timeOf(plannedAt), state, CAUSES[cause], cost, conversationId ?? '', reason ?? '']
    .filter((word) => word !== '')
    .map((word) => plainText(word.replaceAll(/\s+/g, ' ')))
    .join('  ')
}

function timeOf(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace('T', ' ')
}
