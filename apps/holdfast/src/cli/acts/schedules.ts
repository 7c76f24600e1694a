import { type OccurrenceRow, routes, type ScheduleRow, type ScheduleRule } from '@holdfast/protocol'
import { CliError } from '../../cli-error.ts'
import type { Api } from '../reach/api.ts'
import { meantWorkspace } from '../reach/meant-workspace.ts'
import { withApi } from '../reach/with-api.ts'
import { plainText } from '../terminal/plain-text.ts'
import { presetIdOf } from './presets.ts'

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
  readonly hook?: true
  readonly afterSchedule?: string
  readonly afterConversation?: string
  readonly folder?: string
  readonly workspace?: string
  readonly zone?: string
  readonly agent?: string
  readonly model?: string
  readonly preset?: string
  readonly budget?: number
  readonly jitter?: number
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
  const { name, zone, agent, model, preset, budget, jitter, workspace } = options
  return withApi(options, async (api, opened) => {
    const rule = await ruleOf(api, options)
    const body = {
      name: name ?? text.slice(0, 60),
      content: [{ type: 'text' as const, text }],
      rule,
      timeZone: zone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone,
      ...(agent === undefined ? {} : { agentId: agent }),
      ...(model === undefined ? {} : { modelId: model }),
      ...(preset === undefined ? {} : { presetId: await presetIdOf(api, preset) }),
      ...(workspace === undefined ? {} : { workspaceId: (await meantWorkspace(api, workspace)).id }),
      ...(jitter === undefined ? {} : { jitterMinutes: jitter }),
      ...(budget === undefined ? {} : { budgets: { runUsd: budget } }),
    }
    const row = await api.call(routes.createSchedule, { body })
    said(row, { json, words: lineOf(row) })
    return rule.type === 'hook' ? tellSecret(api, { scheduleId: row.id, opened, json }) : 0
  })
}

/** Gives one a new address and secret; those before end. @returns the exit code. */
export function renewSecret(name: string, { json, ...options }: ScheduleOptions): Promise<number> {
  return withApi(options, async (api, opened) => tellSecret(api, { scheduleId: await idOf(api, name), opened, json }))
}

async function tellSecret(
  api: Api,
  { scheduleId, opened, json }: { readonly scheduleId: string; readonly opened: string | null; readonly json: boolean },
): Promise<number> {
  const made = await api.call(routes.renewScheduleSecret, { params: { scheduleId } })
  // Without a server that runs nobody knows yet where it will be reached.
  const address = `${opened ?? 'http://127.0.0.1:4747'}${made.path}`
  if (opened === null) process.stderr.write('No server runs; the address is that of `holdfast start` as usual.\n')
  return said({ ...made, address }, { json, words: signingWords({ address, secret: made.secret }) })
}

/** What a caller needs to know, ready to be pasted into a shell. */
function signingWords({ address, secret }: { readonly address: string; readonly secret: string }): string {
  return [
    `address ${address}`,
    `secret ${secret} (shown this once)`,
    'Sign each call with the secret, over the time in milliseconds, a full stop and the body:',
    `  secret='${secret}' address='${address}' body='{}'`,
    '  at=$(date +%s%3N)',
    `  signature=$(printf '%s.%s' "$at" "$body" | openssl dgst -sha256 -hmac "$secret" | sed 's/.* //')`,
    '  curl -X POST "$address" -H "Holdfast-Timestamp: $at" -H "Holdfast-Signature: v1=$signature" --data-binary "$body"',
  ].join('\n')
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

async function ruleOf(api: Api, options: Omit<NewScheduleOptions, 'json'>): Promise<ScheduleRule> {
  const { cron, rrule, at, hook, afterSchedule, afterConversation, folder } = options
  const rules: ScheduleRule[] = [
    ...(cron === undefined ? [] : [{ type: 'cron' as const, expression: cron }]),
    ...(rrule === undefined ? [] : [{ type: 'rrule' as const, text: rrule }]),
    ...(at === undefined ? [] : [{ type: 'once' as const, at }]),
    ...(hook === undefined ? [] : [{ type: 'hook' as const }]),
    ...(afterSchedule === undefined
      ? []
      : [{ type: 'after-schedule' as const, scheduleId: await idOf(api, afterSchedule) }]),
    ...(afterConversation === undefined
      ? []
      : [{ type: 'after-conversation' as const, conversationId: afterConversation }]),
    ...(folder === undefined ? [] : [{ type: 'folder' as const, path: folder }]),
  ]
  const [rule] = rules
  if (rule && rules.length === 1) return rule
  const words =
    'Say when with one of --cron, --rrule, --at, --hook, --after-schedule, --after-conversation and --folder.'
  throw new CliError('E_USAGE', 2, words)
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

function lineOf({ id, name, isOn, nextAt, pausedReason, last, rule, timeZone, hookPath }: ScheduleRow): string {
  const isTimed = rule.type === 'cron' || rule.type === 'rrule' || rule.type === 'once'
  const due = !isTimed ? 'waits' : nextAt === null ? 'over' : `next ${timeOf(nextAt)}`
  const next = isOn ? due : (pausedReason ?? 'paused')
  const when = isTimed ? `${wordsOf(rule)} ${timeZone}` : (hookPath ?? wordsOf(rule))
  const words = [id, name, when, next, last === null ? 'never ran' : `last ${last.state}`]
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

function lineOfRun({ plannedAt, cause, state, reason, costUsd, conversationId }: OccurrenceRow): string {
  const cost = costUsd === null ? '' : `$${costUsd.toFixed(4)}`
  return [timeOf(plannedAt), state, CAUSES[cause], cost, conversationId ?? '', reason ?? '']
    .filter((word) => word !== '')
    .map((word) => plainText(word.replaceAll(/\s+/g, ' ')))
    .join('  ')
}

function timeOf(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace('T', ' ')
}
