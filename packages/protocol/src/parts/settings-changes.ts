import { ConversationSettings, Json } from '@holdfast/conversation'
import * as z from 'zod'
import type { Scope } from './who-may.ts'

/** New values of settings by name; null returns a setting to what the agent or the installation says. */
export const SettingsChanges = z.record(z.string(), Json).superRefine((changes, context) => {
  for (const [name, value] of Object.entries(changes)) {
    const field = FIELDS.get(name)
    if (field === undefined) {
      const message = `There is no setting ${name}. There are ${[...FIELDS.keys()].join(', ')}`
      context.addIssue({ code: 'custom', path: [name], message })
    } else if (value !== null)
      for (const { message, path } of field.safeParse(value).error?.issues ?? [])
        context.addIssue({ code: 'custom', path: [name, ...path], message })
  }
})

const FIELDS: ReadonlyMap<string, z.ZodType> = new Map(Object.entries(ConversationSettings.shape))

/** Settings that decide what agents may do, or spend, without a person; which agent it is decides that too. */
const TOOL_SETTINGS: ReadonlySet<string> = new Set([
  'agentId',
  'budgetUsd',
  'toolMode',
  'includedTools',
  'excludedSources',
  'permissionMode',
  'externalMode',
  'externalModel',
  'paidBy',
  'workspace',
  'workspaceId',
  'worktreeId',
  'stepsPerRun',
  'callsPerStep',
  'identicalCalls',
])

/** What an API key needs to change these settings. */
export function scopeOfSettings(settings: Readonly<Record<string, unknown>> | undefined): Scope {
  return Object.keys(settings ?? {}).some((name) => TOOL_SETTINGS.has(name)) ? 'tools' : 'chat'
}
