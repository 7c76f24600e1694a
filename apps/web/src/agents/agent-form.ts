import type { AgentFields } from '@holdfast/client'
import { Json, SomeSettings, setIn } from '@holdfast/conversation'
import type { AgentRow, AgentVoice } from '@holdfast/protocol'
import * as z from 'zod'
import { say } from '../shared/language/say.ts'

/** An agent as its form has it: texts and choices. */
export interface AgentForm {
  readonly name: string
  readonly avatar: string
  readonly picture: PictureChange
  readonly description: string
  readonly instructions: string
  readonly modelId: string
  /** JSON; empty for none. */
  readonly parameters: string
  readonly toolMode: string
  /** Names. */
  readonly includedTools: readonly string[]
  readonly permissionMode: string
  /** The preset that conversations with it begin with; empty for none. */
  readonly presetId: string
  /** How it is heard, and how it hears; null for what the installation says. */
  readonly voice: AgentVoice | null
  /** What it sets of the table of settings. */
  readonly limits: SomeSettings
  /** One a line. */
  readonly starters: string
  readonly usesMemories: boolean
  readonly sharing: 'private' | 'people' | 'everyone'
  /** Addresses, one a line. */
  readonly emails: string
}

/** What becomes of an agent's picture. `same`: it stays as it is; a new agent has none. */
export type PictureChange = { readonly type: 'same' | 'none' } | { readonly type: 'new'; readonly base64: string }

/** What the form of an agent begins with; of a new one with nothing. */
export function toForm(row: AgentRow | null): AgentForm {
  const { settings = {}, sharing = null } = row ?? {}
  return {
    name: row?.name ?? '',
    avatar: row?.avatar ?? '',
    picture: { type: 'same' },
    description: row?.description ?? '',
    instructions: settings.instructions ?? '',
    modelId: settings.modelId ?? '',
    parameters: settings.parameters === undefined ? '' : JSON.stringify(settings.parameters),
    toolMode: settings.toolMode ?? '',
    includedTools: settings.includedTools ?? [],
    permissionMode: settings.permissionMode ?? '',
    presetId: row?.presetId ?? '',
    voice: row?.voice ?? null,
    limits: setIn(settings),
    starters: (row?.starters ?? []).join('\n'),
    usesMemories: settings.memories !== 'off',
    sharing: sharing?.type ?? 'private',
    emails: sharing?.type === 'people' ? sharing.emails.join('\n') : '',
  }
}

const Parameters = z.record(z.string(), Json)
const ToolMode = z.enum(['auto', 'cached', 'all-on', 'all-off', 'manual'])
const PermissionMode = z.enum(['plan', 'ask', 'accept-edits', 'sandboxed', 'bypass'])

/** What is sent of a form, or what is wrong with it. */
export function toFields(form: AgentForm): { readonly fields: AgentFields } | { readonly problem: string } {
  const parameters = form.parameters.trim() === '' ? {} : parsedParameters(form.parameters)
  if (parameters === null) return { problem: say('agents.not-json', { example: '{"temperature": 0.2}' }) }
  const toolMode = ToolMode.safeParse(form.toolMode).data
  const permissionMode = PermissionMode.safeParse(form.permissionMode).data
  const fields: AgentFields = {
    name: form.name,
    description: form.description,
    avatar: form.avatar.trim() === '' ? null : form.avatar.trim(),
    ...pictureFields(form.picture),
    settings: {
      ...(form.instructions.trim() === '' ? {} : { instructions: form.instructions }),
      ...(form.modelId === '' ? {} : { modelId: form.modelId }),
      ...(Object.keys(parameters).length === 0 ? {} : { parameters }),
      ...(toolMode === undefined ? {} : { toolMode }),
      ...(toolMode === 'manual' ? { includedTools: [...form.includedTools] } : {}),
      ...(permissionMode === undefined ? {} : { permissionMode }),
      ...(form.usesMemories ? {} : { memories: 'off' as const }),
      ...form.limits,
    },
    presetId: form.presetId === '' ? null : form.presetId,
    voice: form.voice,
    starters: linesOf(form.starters),
    sharing: form.sharing === 'people' ? { type: 'people', emails: linesOf(form.emails) } : { type: form.sharing },
  }
  return { fields }
}

/**
 * The limits with one of them set, or no longer. What is out of bounds is told by its field and does not come here.
 *
 * @throws {z.ZodError} for a value that the setting cannot have.
 */
export function withLimit(limits: SomeSettings, key: string, value: Json): SomeSettings {
  const all = Object.entries({ ...limits, [key]: value }).filter(([, one]) => one !== null)
  return SomeSettings.parse(Object.fromEntries(all))
}

/** Roughly how many tokens a text is, for a person who writes it: four letters are about one. */
export function roughTokens(text: string): number {
  return Math.ceil(text.length / 4)
}

function pictureFields(wish: PictureChange): Pick<AgentFields, 'picture'> {
  switch (wish.type) {
    case 'same':
      return {}
    case 'none':
      return { picture: null }
    case 'new':
      return { picture: wish.base64 }
  }
}

function parsedParameters(text: string): z.infer<typeof Parameters> | null {
  try {
    return Parameters.safeParse(JSON.parse(text)).data ?? null
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return null
  }
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
