import { type OccurrenceRow, routes, type ScheduleRow, type ScheduleRule } from '@holdfast/protocol'
import { CliError } from '../../cli-error.ts'
import type { Api } from '../reach/api.ts'
import { withApi } from '../reach/with-api.ts'
import { plainText } from '../terminal/plain-text.ts'

/** What a command about schedules was told. */
export interface ScheduleOptions {
  readonly dataDir?: string
  readonly json: boolean
}

/** What is said of a new schedule. */
export interface NewScheduleOptions extends ScheduleOptions {
  readonly name?: string
  readonly cron?: string
  readonly rrule?: string
  readonly at?: string
  readonly zone?: string
  readonly agent?: string
  readonly model?: string
  readonly budget?: string
}

/** Prints the schedules. @returns the exit code. */
export function listSchedules({ json, ...options }: ScheduleOptions): Promise<number> {
  return withApi({ ...options, looksOnly: true }, async (api) => {
    const { schedules } = await api.call(routes.listSchedules, {})
    for (const row of schedules) said(row, { json, words: lineOf(row) })
    if (schedules.length === 0 && !json) process.stderr.write('Nothing is scheduled.\n')
    return 0
  })
}

/** Makes a schedule that asks this. @returns the exit code. */
export function addSchedule(text: string, { json, ...options }: NewScheduleOptions): Promise<number> {
  const { name, zone, agent, model, budget } = options
  const rule = ruleOf(options)
  return withApi(options, async (api) => {
    const body = {
      name: name ?? text.slice(0, 60),
      content: [{ type: 'text' as const, text }],
      rule,
      timeZone: zone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone,
      ...(agent === undefined ? {} : { agentId: agent }),
      ...(model === undefined ? {} : { modelId: model }),
      ...(budget === undefined ? {} : { budgets: { runUsd: Number(budget) } }),
    }
    const row = await api.call(routes.createSchedule, { body })
    return said(row, { json, words: lineOf(row) })
  })
}

/** Runs one now. @returns the exit code. */
export function runSchedule(name: string, { json, ...options }: ScheduleOptions): Promise<number> {
  return withApi(options, async (api) => {
    const line = await api.call(routes.runSchedule, { params: { scheduleId: await idOf(api, name) } })
    said(line, { json, words: lineOfRun(line) })
    return line.state === 'failed' ? 1 : 0
  })
}

/** Pauses one, or lets it go on. @returns the exit code. */
export function switchSchedule(name: string, isOn: boolean, { json, ...options }: ScheduleOptions): Promise<number> {
  return withApi(options, async (api) => {
    const row = await api.call(routes.changeSchedule, { params: { scheduleId: await idOf(api, name) }, body: { isOn } })
    return said(row, { json, words: lineOf(row) })
  })
}

/** Removes one; its conversations stay. @returns the exit code. */
export function removeSchedule(name: string, { json, ...options }: ScheduleOptions): Promise<number> {
  return withApi(options, async (api) => {
    const scheduleId = await idOf(api, name)
    await api.call(routes.removeSchedule, { params: { scheduleId } })
    return said({ scheduleId }, { json, words: 'Removed. Its conversations stay.' })
  })
}

/** Prints what became of its runs, the newest first. @returns the exit code. */
export function scheduleHistory(name: string, { json, ...options }: ScheduleOptions): Promise<number> {
  return withApi({ ...options, looksOnly: true }, async (api) => {
    const { occurrences } = await api.call(routes.listOccurrences, { params: { scheduleId: await idOf(api, name) } })
    for (const line of occurrences) said(line, { json, words: lineOfRun(line) })
    if (occurrences.length === 0 && !json) process.stderr.write('It has not run yet.\n')
    return 0
  })
}

function ruleOf({ cron, rrule, at }: Omit<NewScheduleOptions, 'json'>): ScheduleRule {
  const rules: ScheduleRule[] = [
    ...(cron === undefined ? [] : [{ type: 'cron' as const, expression: cron }]),
    ...(rrule === undefined ? [] : [{ type: 'rrule' as const, text: rrule }]),
    ...(at === undefined ? [] : [{ type: 'once' as const, at }]),
  ]
  const [rule] = rules
  if (rule && rules.length === 1) return rule
  throw new CliError('E_USAGE', 2, 'Say when with one of --cron, --rrule and --at.')
}

function said(row: object, { json, words }: { readonly json: boolean; readonly words: string }): number {
  process.stdout.write(`${json ? JSON.stringify(row) : words}\n`)
  return 0
}

/** The id of the schedule that a person means by its id, a beginning of it, or its name. @throws {CliError} */
async function idOf(api: Api, name: string): Promise<string> {
  const { schedules } = await api.call(routes.listSchedules, {})
  const meant = schedules.filter((row) => row.id === name || row.name === name || row.id.startsWith(name))
  const [one] = meant
  if (one && meant.length === 1) return one.id
  const what = one ? `${meant.length} schedules are meant by ${name}` : `There is no schedule ${name}`
  throw new CliError('E_UNKNOWN_SCHEDULE', 3, `${what}. See which there are: holdfast schedule list`)
}

function lineOf({ id, name, isOn, nextAt, pausedReason, last, rule, timeZone }: ScheduleRow): string {
  const said = rule.type === 'cron' ? rule.expression : rule.type === 'rrule' ? rule.text : rule.at
  const next = isOn ? (nextAt === null ? 'over' : `next ${timeOf(nextAt)}`) : (pausedReason ?? 'paused')
  const words = [id, name, `${said} ${timeZone}`, next, last === null ? 'never ran' : `last ${last.state}`]
  return words.map((word) => plainText(word.replaceAll(/\s+/g, ' '))).join('  ')
}

function lineOfRun({ plannedAt, state, reason, costUsd, conversationId }: OccurrenceRow): string {
  const cost = costUsd === null ? '' : `$${costUsd.toFixed(4)}`
  return [timeOf(plannedAt), state, cost, conversationId ?? '', reason ?? '']
    .filter((word) => word !== '')
    .map((word) => plainText(word.replaceAll(/\s+/g, ' ')))
    .join('  ')
}

function timeOf(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace('T', ' ')
}
