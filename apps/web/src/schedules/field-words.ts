import { namedFields } from '@holdfast/protocol'
import { type PlainKey, say } from '../shared/language/say.ts'
import type { ScheduleValue } from './kept-draft.ts'

/** What the fields of the form are called. */
export const FIELD_KEYS = [
  { name: 'name', label: 'schedules.name' },
  { name: 'text', label: 'schedules.text' },
  { name: 'timeZone', label: 'schedules.zone' },
  { name: 'jitter', label: 'schedules.jitter' },
  { name: 'target', label: 'schedules.answers-in' },
  { name: 'agentId', label: 'schedules.agent' },
  { name: 'modelId', label: 'common.model' },
  { name: 'presetId', label: 'presets.preset' },
  { name: 'workspaceId', label: 'schedules.workspace' },
  { name: 'unattended', label: 'schedules.unattended' },
  { name: 'rules', label: 'schedules.allowed' },
  { name: 'missed', label: 'schedules.missed' },
  { name: 'overlap', label: 'schedules.overlap' },
  { name: 'runUsd', label: 'schedules.per-run' },
  { name: 'dayUsd', label: 'schedules.per-day' },
  { name: 'monthUsd', label: 'schedules.per-month' },
] as const satisfies readonly { readonly name: keyof ScheduleValue; readonly label: PlainKey }[]

/** What the API calls them, where that is another name. */
const NAMES_OF_API: ReadonlyMap<string, PlainKey> = new Map<string, PlainKey>([
  ...FIELD_KEYS.map(({ name, label }): [string, PlainKey] => [name, label]),
  ['content', 'schedules.text'],
  ['content.0.text', 'schedules.text'],
  ['jitterMinutes', 'schedules.jitter'],
  ['rule', 'schedules.when'],
  ['rule.expression', 'schedules.raw'],
  ['rule.text', 'schedules.raw'],
  ['rule.at', 'schedules.at'],
  ['rule.path', 'schedules.folder'],
  ['budgets.runUsd', 'schedules.per-run'],
  ['budgets.dayUsd', 'schedules.per-day'],
  ['budgets.monthUsd', 'schedules.per-month'],
])

/** Why something was refused, with the fields as the form calls them, in the place of the names of the API. [UI114] */
export function inWordsOfTheForm(text: string): string {
  return namedFields(text, (name) => {
    const key = NAMES_OF_API.get(name) ?? (name.startsWith('rules.') ? 'schedules.allowed' : undefined)
    return key === undefined ? null : say(key)
  })
}
