import type { SessionConfigOption, SessionModeState, SessionUpdate } from '@agentclientprotocol/sdk/unstable'
import { ConversationSettings, type Entry, permissionModeOf } from '@holdfast/conversation'
import { routes } from '@holdfast/protocol'
import * as z from 'zod'
import type { LastingApi } from '../reach/lasting-api.ts'

/** What may be chosen in a session, as editors show it: twice, for those that know only modes. */
export interface Choices {
  readonly modes: SessionModeState
  readonly configOptions: SessionConfigOption[]
}

type ModeId = NonNullable<ConversationSettings['permissionMode']>

/** What is chosen in a conversation. */
export interface Chosen {
  /** Null for what the installation says. */
  readonly permissionMode: ModeId | null
  /** Null for the one that answers where none is chosen. */
  readonly modelId: string | null
}

/** What every conversation of an editor begins with: nothing is done unasked. */
export const FIRST_MODE = 'ask' as const

const MODES = [
  { id: 'plan', name: 'Plan', description: 'Reads, and changes nothing' },
  { id: 'ask', name: 'Ask', description: 'Asks before it changes anything' },
  { id: 'accept-edits', name: 'Accept edits', description: 'Edits files unasked, and asks before commands' },
  { id: 'sandboxed', name: 'Sandboxed', description: 'Runs commands unasked where the sandbox holds them' },
  { id: 'bypass', name: 'Bypass', description: 'Asks nothing; hard denials stand' },
]

const Mode = ConversationSettings.shape.permissionMode.unwrap()

/** The mode of that name; null for none. */
export function modeNamed(id: string): ModeId | null {
  return Mode.safeParse(id).data ?? null
}

/** What may be chosen now, with what is. */
export async function choicesOf(api: LastingApi, chosen: Chosen): Promise<Choices> {
  const { providers, defaultModelId, permissionMode: mode } = await api.call(routes.listModels, {})
  const permissionMode = permissionModeOf(
    chosen.permissionMode === null ? {} : { permissionMode: chosen.permissionMode },
    { mode },
  )
  const models = providers.flatMap(({ models: ofOne }) => ofOne.map(({ id, name }) => ({ value: id, name })))
  const current = chosen.modelId ?? defaultModelId ?? models[0]?.value ?? 'demo'
  return {
    modes: { currentModeId: permissionMode, availableModes: MODES },
    configOptions: [
      {
        type: 'select',
        id: 'mode',
        name: 'Permissions',
        category: 'mode',
        currentValue: permissionMode,
        options: MODES.map(({ id, name, description }) => ({ value: id, name, description })),
      },
      { type: 'select', id: 'model', name: 'Model', category: 'model', currentValue: current, options: models },
    ],
  }
}

const ChoiceFields = z.object({ permissionMode: Mode.nullable(), modelId: z.string().nullable() }).partial()

/** What is chosen after an entry: null gives back what the installation says. */
export function chosenAfter(chosen: Chosen, entry: Entry): Chosen {
  const set =
    entry.type === 'conversation-created' ? entry.settings : entry.type === 'settings-changed' ? entry.changes : null
  const { permissionMode, modelId } = ChoiceFields.parse(set ?? {})
  if (permissionMode === undefined && modelId === undefined) return chosen
  return {
    permissionMode: permissionMode === undefined ? chosen.permissionMode : permissionMode,
    modelId: modelId === undefined ? chosen.modelId : modelId,
  }
}

/** What an editor is told when something else is chosen. */
export function choiceUpdates({ modes, configOptions }: Choices): SessionUpdate[] {
  return [
    { sessionUpdate: 'current_mode_update', currentModeId: modes.currentModeId },
    { sessionUpdate: 'config_option_update', configOptions },
  ]
}

const PAGE = 500

/** What is chosen in a conversation that is there, and where its log ends. */
export async function readChosen(
  api: LastingApi,
  id: string,
): Promise<{ readonly chosen: Chosen; readonly head: number }> {
  let chosen: Chosen = { permissionMode: null, modelId: null }
  for (let after = 0; ; ) {
    const query = { after: String(after), limit: String(PAGE) }
    const { entries, head } = await api.call(routes.readEntries, { params: { id }, query })
    for (const entry of entries) chosen = chosenAfter(chosen, entry)
    const last = entries.at(-1)?.seq
    if (last === undefined || last >= head) return { chosen, head }
    after = last
  }
}
