import { sha256, systemClock, systemIds, systemRandom } from '@holdfast/engine/system'
import { inputWords, routes, type ScheduleRule } from '@holdfast/protocol'
import {
  createPointedAt,
  createScheduleDirectory,
  createScheduler,
  type Diagnostics,
  RefusedError,
  type ScheduleDirectory,
  type ScheduleDirectoryDeps,
  type WorkspaceDirectory,
} from '@holdfast/server'
import type { AgentsSchedules } from '@holdfast/workbench'
import { createFolderPrints } from './workspaces/folder-prints.ts'

type Parts = Pick<Parameters<typeof createScheduler>[0], 'records' | 'engine' | 'bus' | 'secret'> &
  Pick<ScheduleDirectoryDeps['madeWith'], 'agents' | 'presets'> & {
    readonly store: Parameters<typeof createPointedAt>[0]['store']
    readonly workspaceDirectory: Pick<WorkspaceDirectory, 'rootOf'>
    readonly models: { readonly choices: ScheduleDirectoryDeps['madeWith']['models'] }
    readonly log: Diagnostics
  }

/** Opens the schedules of people, and what runs them when they are due. */
export function openSchedules({
  records,
  store,
  engine,
  bus,
  secret,
  workspaceDirectory,
  models,
  agents,
  presets,
  log,
}: Parts) {
  const at = { records, clock: systemClock, ids: systemIds, folders: createFolderPrints(workspaceDirectory) }
  const pointedAt = createPointedAt({ store, log, agents: null })
  const scheduler = createScheduler({
    ...at,
    log: store,
    engine,
    bus,
    secret,
    random: systemRandom,
    sha256,
    async wordsOf({ userId, conversationId }) {
      const part = { type: 'mention' as const, kind: 'conversation' as const, id: conversationId }
      try {
        return await pointedAt.mention({ userId, conversationId: null }, part)
      } catch (error) {
        if (error instanceof RefusedError) return null
        throw error
      }
    },
    onFault: (error) => log.error('a schedule has a fault', { error }),
  })
  const schedules = createScheduleDirectory({
    ...at,
    scheduler,
    store,
    sha256,
    madeWith: {
      models: models.choices,
      agents,
      presets,
      hasWorkspace: (query) => workspaceDirectory.rootOf(query) !== null,
    },
  })
  return { scheduler, schedules, proposals: proposalsOf(schedules) }
}

/** What agents may propose, and a person confirm. [SCHED17] */
function proposalsOf(schedules: ScheduleDirectory): AgentsSchedules {
  return {
    next({ when, timeZone }) {
      try {
        const next = schedules.tryRule({ rule: ruleOf(when), timeZone, jitterMinutes: 0 })
        return { isRefused: false, words: `Next: ${next.map((at) => timeIn(timeZone, at)).join(' · ')} (${timeZone})` }
      } catch (error) {
        return refusalOf(error)
      }
    },
    about: ({ ownerId, ...conversation }) => schedules.about(ownerId, conversation),
    async make(ownerId, { name, text, when, timeZone }) {
      const wanted = { name, content: [{ type: 'text', text }], rule: ruleOf(when), timeZone }
      const read = routes.createSchedule.body.safeParse(wanted)
      if (!read.success) return { isRefused: true, words: inputWords(read.error, 'What was proposed') }
      try {
        const row = await schedules.create(ownerId, read.data)
        const next = row.nextAt === null ? '' : ` It runs next ${timeIn(timeZone, row.nextAt)} (${timeZone}).`
        return { isRefused: false, words: `"${row.name}" is scheduled.${next}` }
      } catch (error) {
        return refusalOf(error)
      }
    },
  }
}

function refusalOf(error: unknown): { readonly isRefused: true; readonly words: string } {
  if (error instanceof RefusedError) return { isRefused: true, words: error.message }
  throw error
}

function ruleOf(when: string): ScheduleRule {
  const text = when.trim()
  if (/FREQ=/i.test(text)) return { type: 'rrule', text }
  return /^\d{4}-/.test(text) ? { type: 'once', at: text } : { type: 'cron', expression: text }
}

function timeIn(timeZone: string, at: number): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(at)
}
