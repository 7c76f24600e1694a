import { ConversationSettings, Json } from '@holdfast/conversation'
import * as z from 'zod'
import type { Scope } from './who-may.ts'

/** New values of settings by name; null returns a setting to what the agent or the installation says. */
export const SettingsChanges = z
  .record(z.string(), Json)
  .refine((changes) => Object.keys(changes).every((name) => Object.hasOwn(ConversationSettings.shape, name)), {
    error: `names a setting that does not exist; there are ${Object.keys(ConversationSettings.shape).join(', ')}`,
  })

/** Settings that decide what agents may do, or spend, without a person; which agent it is decides that too. */
const TOOL_SETTINGS: ReadonlySet<string> = new Set([
  'agentId',
  'budgetUsd',
  'toolMode',
  'includedTools',
  'excludedSources',
  'permissionMode',
  'workspace',
  'stepsPerRun',
  'callsPerStep',
  'identicalCalls',
])

/** What an API key needs to change these settings. */
export function scopeOfSettings(settings: Readonly<Record<string, unknown>> | undefined): Scope {
  return Object.keys(settings ?? {}).some((name) => TOOL_SETTINGS.has(name)) ? 'tools' : 'chat'
}
