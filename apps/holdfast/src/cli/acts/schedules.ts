import { namedFields, routes, type ScheduleRow, type ScheduleRule } from '@holdfast/protocol'
import { CliError } from '../../cli-error.ts'
import type { Api } from '../reach/api.ts'
import { meantWorkspace } from '../reach/meant-workspace.ts'
import { withApi } from '../reach/with-api.ts'
import { lineOf, lineOfRun } from '../terminal/schedule-lines.ts'
import { presetIdOf } from './presets.ts'

/** What a command about schedules was told. */
export interface ScheduleOptions {
  readonly dataDir?: string
  readonly json: boolean
}

/** When a schedule runs, and all that its runs are made with and may do. */
interface WishOptions extends ScheduleOptions {
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
  readonly jitter?: number
  readonly unattended?: ScheduleRow['unattended']
  readonly allow?: readonly string[]
  readonly missed?: ScheduleRow['missed']
  readonly overlap?: ScheduleRow['overlap']
  readonly target?: string
}

/** What is said of a new schedule. */
export interface NewScheduleOptions extends WishOptions {
  readonly budget?: number
  readonly dayBudget?: number
  readonly monthBudget?: number
}

/** What is changed of one; `none` takes away. */
export interface EditScheduleOptions extends WishOptions {
  readonly text?: string
  readonly budget?: number | 'none'
  readonly dayBudget?: number | 'none'
  readonly monthBudget?: number | 'none'
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
  const { name, zone, agent, model, preset, workspace } = options
  return withApi(options, async (api, opened) => {
    const rule = await ruleOf(api, options)
    if (rule === null) throw new CliError('E_USAGE', 2, WHEN_WORDS)
    checkAllow(options, 'deny')
    const { dayBudget, monthBudget, budget } = options
    const budgets = {
      ...(budget === undefined ? {} : { runUsd: budget }),
      ...(dayBudget === undefined ? {} : { dayUsd: dayBudget }),
      ...(monthBudget === undefined ? {} : { monthUsd: monthBudget }),
    }
    const body = {
      name: name ?? text.slice(0, 60),
      content: [{ type: 'text' as const, text }],
      rule,
      timeZone: zone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone,
      ...(agent === undefined ? {} : { agentId: agent }),
      ...(model === undefined ? {} : { modelId: model }),
      ...(preset === undefined ? {} : { presetId: await presetIdOf(api, preset) }),
      ...(workspace === undefined ? {} : { workspaceId: (await meantWorkspace(api, workspace)).id }),
      ...allowedOf(options),
      budgets,
    }
    const row = await inOwnWords(api.call(routes.createSchedule, { body }))
    said(row, { json, words: lineOf(row) })
    return rule.type === 'hook' ? tellSecret(api, { scheduleId: row.id, opened, json }) : 0
  })
}

/** Changes what is said of one; what is left out stays, and what another changed meanwhile is not written over. @returns the exit code. */
export function editSchedule(which: string, { json, ...options }: EditScheduleOptions): Promise<number> {
  const { text, name, zone, agent, model, preset, workspace } = options
  return withApi(options, async (api, opened) => {
    const scheduleId = await idOf(api, which)
    const {
      revision,
      budgets: before,
      unattended: now,
    } = await api.call(routes.readSchedule, { params: { scheduleId } })
    const rule = await ruleOf(api, options)
    checkAllow(options, now)
    const { budget, dayBudget, monthBudget } = options
    const wanted = { runUsd: budget, dayUsd: dayBudget, monthUsd: monthBudget }
    const isBudget = Object.values(wanted).some((one) => one !== undefined)
    const changes = {
      ...(text === undefined ? {} : { content: [{ type: 'text' as const, text }] }),
      ...(name === undefined ? {} : { name }),
      ...(rule === null ? {} : { rule }),
      ...(zone === undefined ? {} : { timeZone: zone }),
      ...(agent === undefined ? {} : { agentId: orNone(agent) }),
      ...(model === undefined ? {} : { modelId: orNone(model) }),
      ...(preset === undefined ? {} : { presetId: preset === NONE ? null : await presetIdOf(api, preset) }),
      ...(workspace === undefined
        ? {}
        : { workspaceId: workspace === NONE ? null : (await meantWorkspace(api, workspace)).id }),
      ...allowedOf(options),
      ...(isBudget ? { budgets: budgetsOf({ ...before, ...onlyGiven(wanted) }) } : {}),
    }
    if (Object.keys(changes).length === 0)
      throw new CliError(
        'E_USAGE',
        2,
        'Say what to change, such as --name or --cron. See: holdfast schedule edit --help',
      )
    const body = { revision, ...changes }
    const row = await inOwnWords(api.call(routes.changeSchedule, { params: { scheduleId }, body }))
    said(row, { json, words: lineOf(row) })
    return row.rule.type === 'hook' && row.hookPath === null ? tellSecret(api, { scheduleId, opened, json }) : 0
  })
}

/** Stops what runs of one. @returns the exit code. */
export function stopSchedule(name: string, { json, ...options }: ScheduleOptions): Promise<number> {
  return withApi(options, async (api) => {
    const scheduleId = await idOf(api, name)
    const answer = await api.call(routes.stopSchedule, { params: { scheduleId } })
    return said(answer, {
      json,
      words: answer.stopped === 1 ? 'Its run is stopped.' : `${answer.stopped} runs are stopped.`,
    })
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

/** What takes away what was chosen. */
const NONE = 'none'

function orNone(text: string): string | null {
  return text === NONE ? null : text
}

/** What runs may do, what becomes of those that are missed or meet another, and where they answer. */
function allowedOf({ jitter, unattended, allow, missed, overlap, target }: Omit<WishOptions, 'json'>) {
  return {
    ...(jitter === undefined ? {} : { jitterMinutes: jitter }),
    ...(unattended === undefined ? {} : { unattended }),
    ...(allow === undefined ? {} : { rules: allow.map(allowanceOf) }),
    ...(missed === undefined ? {} : { missed }),
    ...(overlap === undefined ? {} : { overlap }),
    ...(target === undefined ? {} : { target }),
  }
}

/** @throws {CliError} for a list of what is allowed that nothing would look at. */
function checkAllow({ allow, unattended }: Omit<WishOptions, 'json'>, now: ScheduleRow['unattended']): void {
  if (allow === undefined || (unattended ?? now) === 'allow-list') return
  throw new CliError('E_USAGE', 2, '--allow goes with --unattended allow-list; without it no list is looked at.')
}

/** A tool, and behind a space what it may be given. */
function allowanceOf(text: string): { readonly tool: string; readonly pattern?: string } {
  const [tool = '', ...pattern] = text.trim().split(' ')
  return pattern.length === 0 ? { tool } : { tool, pattern: pattern.join(' ').trim() }
}

type Wanted = { readonly [Key in 'runUsd' | 'dayUsd' | 'monthUsd']?: number | 'none' | undefined }

function onlyGiven(wanted: Wanted): Wanted {
  return Object.fromEntries(Object.entries(wanted).filter(([, usd]) => usd !== undefined))
}

function budgetsOf(wanted: Wanted): { readonly [Key in keyof Wanted]: number } {
  return Object.fromEntries(
    Object.entries(wanted).flatMap(([key, usd]) => (typeof usd === 'number' ? [[key, usd]] : [])),
  )
}

/** What options the fields of the API are. */
const FLAGS: ReadonlyMap<string, string> = new Map([
  ['name', '--name'],
  ['content', 'The text'],
  ['content.0.text', 'The text'],
  ['rule.expression', '--cron'],
  ['rule.text', '--rrule'],
  ['rule.at', '--at'],
  ['rule.path', '--folder'],
  ['timeZone', '--zone'],
  ['agentId', '--agent'],
  ['modelId', '--model'],
  ['presetId', '--preset'],
  ['workspaceId', '--workspace'],
  ['jitterMinutes', '--jitter'],
  ['budgets.runUsd', '--budget'],
  ['budgets.dayUsd', '--day-budget'],
  ['budgets.monthUsd', '--month-budget'],
  ['rules', '--allow'],
  ['target', '--target'],
])

function flagOf(field: string): string | null {
  return FLAGS.get(field) ?? (field.startsWith('rules.') ? '--allow' : null)
}

/** What is refused is told by the options of the command. [CLI41] */
async function inOwnWords<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof CliError)) throw error
    const { code, message, cause } = error
    // What is named and is not there is told alike, whichever of the two has found it. [CLI42]
    const exitCode = code.startsWith('E_UNKNOWN_') ? 3 : error.exitCode
    throw new CliError(code, exitCode, namedFields(message, flagOf), { cause })
  }
}

const WHEN_WORDS =
  'Say when with one of --cron, --rrule, --at, --hook, --after-schedule, --after-conversation and --folder.'

/** Null where nothing is said of it. @throws {CliError} where two are. */
async function ruleOf(api: Api, options: Omit<WishOptions, 'json'>): Promise<ScheduleRule | null> {
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
  const [rule = null, another] = rules
  if (another === undefined) return rule
  throw new CliError('E_USAGE', 2, WHEN_WORDS)
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
