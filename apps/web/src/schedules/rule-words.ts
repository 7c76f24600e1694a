import type { Client } from '@holdfast/client'
import { useObservable } from '@holdfast/client/react'
import { say } from '../shared/language/say.ts'
import { perSpeech } from '../shared/language/speech.ts'
import { presetWords } from '../shared/preset-words.ts'
import { WEEKDAYS } from './built-rule.ts'
import type { BuiltRule, ScheduleValue } from './kept-draft.ts'
import { dayWord, KIND_WORDS, MISSED_WORDS, OVERLAP_WORDS, UNATTENDED_WORDS } from './schedule-words.ts'

const lists = perSpeech(({ locale }) => new Intl.ListFormat(locale, { type: 'unit', style: 'short' }))

/** Names what schedules point at. What is gone is said to be so. */
export interface Named {
  readonly agent: (id: string) => string
  readonly preset: (id: string) => string
  readonly workspace: (id: string) => string
  readonly schedule: (id: string) => string
  readonly conversation: (id: string) => string
}

/** The names as the page knows them now. */
export function useNamed(client: Client): Named {
  const agents = useObservable(client.agents, ({ value }) => value?.agents)
  const presets = useObservable(client.presets, ({ value }) => value?.presets)
  const workspaces = useObservable(client.workspaces, ({ value }) => value?.workspaces)
  const schedules = useObservable(client.schedules, ({ value }) => value?.schedules)
  const { rows } = useObservable(client.conversations, (list) => list)
  return {
    agent: (id) => agents?.find((row) => row.id === id)?.name ?? say('schedules.gone-agent'),
    preset(id) {
      const row = presets?.find((one) => one.id === id)
      return row === undefined ? say('schedules.gone-preset') : presetWords(row).name
    },
    workspace: (id) => workspaces?.find((row) => row.id === id)?.name ?? say('schedules.gone-workspace'),
    schedule: (id) => schedules?.find((row) => row.id === id)?.name ?? say('schedules.gone-schedule'),
    conversation(id) {
      const row = rows.find((one) => one.id === id)
      const words = row?.title ?? row?.firstWords ?? ''
      return words === '' ? say('inbox.untitled') : words
    },
  }
}

/** When a schedule runs, or what sets it off. [SCHED42] */
export function whenWord(
  { kind, time, weekdays, monthDay, short, at, raw, awaited, path }: BuiltRule,
  named: Named,
): string {
  switch (kind) {
    case 'hourly':
      return say('schedules.hourly-at', { minute: time.split(':')[1] ?? '' })
    case 'daily':
      return say('schedules.daily-at', { time })
    case 'weekdays':
      return say('schedules.weekdays-at', { time })
    case 'weekly': {
      const days = WEEKDAYS.filter(({ code }) => weekdays.includes(code)).map((day) => dayWord(day.at))
      return say('schedules.weekly-at', { days: lists().format(days), time })
    }
    case 'monthly':
      return Number(monthDay) > 28 && short === 'last-day'
        ? say('schedules.monthly-or-last', { day: monthDay, time })
        : say('schedules.monthly-at', { day: monthDay, time })
    case 'once':
      return say('schedules.once-at', { time: at.replace('T', ' ') })
    case 'raw':
      return raw
    case 'hook':
      return say(KIND_WORDS.hook)
    case 'after-schedule':
      return say('schedules.after', { name: named.schedule(awaited) })
    case 'after-conversation':
      return say('schedules.after-answer', { name: named.conversation(awaited) })
    case 'folder':
      return say('schedules.waits-folder', { folder: path === '' ? '.' : path })
  }
}

/** What a field of the form says, in words. */
export function shownField(field: keyof ScheduleValue, value: ScheduleValue, named: Named): string {
  switch (field) {
    case 'unattended':
      return say(UNATTENDED_WORDS[value.unattended])
    case 'missed':
      return say(MISSED_WORDS[value.missed])
    case 'overlap':
      return say(OVERLAP_WORDS[value.overlap])
    case 'target':
      return value.target === 'new' ? say('schedules.answers-anew') : named.conversation(value.target)
    case 'agentId':
      return value.agentId === '' ? say('schedules.no-agent') : named.agent(value.agentId)
    case 'presetId':
      return value.presetId === '' ? say('presets.none') : named.preset(value.presetId)
    case 'workspaceId':
      return value.workspaceId === '' ? say('schedules.without-workspace') : named.workspace(value.workspaceId)
    case 'modelId':
      return value.modelId === '' ? say('schedules.no-model') : value.modelId
    case 'rules':
      return lists().format(value.rules.map(({ tool, pattern }) => `${tool} ${pattern ?? '*'}`))
    case 'name':
    case 'text':
    case 'timeZone':
    case 'jitter':
    case 'runUsd':
    case 'dayUsd':
    case 'monthUsd':
      return value[field]
  }
}
