import type { Client, ConversationStore } from '@holdfast/client'
import { useConversation, useObservable } from '@holdfast/client/react'
import { type ConversationSettings, narrowerMode, permissionModeOf } from '@holdfast/conversation'
import type { AgentRow } from '@holdfast/protocol'
import { askedSetting } from '../shared/asked-setting.ts'
import { type PlainKey, say } from '../shared/language/say.ts'
import { Picker } from '../shared/picker.tsx'

/** What tools may do without asking. */
export type Mode = NonNullable<ConversationSettings['permissionMode']>

interface ModeWords {
  readonly mode: Mode
  readonly name: PlainKey
  /** The name with what it means, in one line. */
  readonly option: PlainKey
  readonly says: PlainKey
}

const MODES: readonly ModeWords[] = [
  { mode: 'plan', name: 'header.plan-only', option: 'header.plan-only-line', says: 'header.tools-may-only-read' },
  { mode: 'ask', name: 'header.ask-first', option: 'header.ask-first-line', says: 'header.tools-may-read-and-ask' },
  {
    mode: 'accept-edits',
    name: 'header.accept-edits',
    option: 'header.accept-edits-line',
    says: 'header.tools-may-also-change-files',
  },
  {
    mode: 'sandboxed',
    name: 'header.ask-outside-the-sandbox',
    option: 'header.ask-outside-the-sandbox-line',
    says: 'header.tools-may-also-run-in-the-sandbox',
  },
  {
    mode: 'bypass',
    name: 'header.ask-nothing',
    option: 'header.ask-nothing-line',
    says: 'header.tools-may-do-everything-that',
  },
]

interface ChosenModeProps {
  readonly client: Client
  readonly store: ConversationStore
}

/**
 * The mode of a conversation: what it says, else the operator, and nothing until that is known. A change holds at once,
 * in a running turn too. [PERM8, WIN11]
 */
export function ChosenMode({ client, store }: ChosenModeProps) {
  const settings = useConversation(store, (state) => state.overview.settings)
  const operator = useObservable(client.models, ({ value }) => value?.permissionMode ?? null)
  const asked = useConversation(store, (state) => askedSetting(state.outbox, 'permissionMode'))
  const mode = asked ?? (operator === null ? settings.permissionMode : permissionModeOf(settings, { mode: operator }))
  return <ModePicker mode={mode ?? null} onChoose={(permissionMode) => store.changeSettings({ permissionMode })} />
}

interface FirstModeProps {
  readonly client: Client
  /** What is chosen for the conversation; null for what its agent or the operator says. */
  readonly chosen: Mode | null
  readonly agent: AgentRow | null
  readonly onChoose: (mode: Mode) => void
}

/** The mode with which a conversation will begin. [UI33] */
export function FirstMode({ client, chosen, agent, onChoose }: FirstModeProps) {
  const operator = useObservable(client.models, ({ value }) => value?.permissionMode ?? null)
  return <ModePicker mode={chosen ?? firstMode(operator, agent)} onChoose={onChoose} />
}

/** What another person's agent says never permits more than the operator does. [PERM1] */
function firstMode(operator: Mode | null, agent: AgentRow | null): Mode | null {
  if (operator === null) return null
  const own = agent?.settings.permissionMode
  return own !== undefined && agent?.origin === 'shared'
    ? narrowerMode(own, operator)
    : permissionModeOf(agent?.settings ?? {}, { mode: operator })
}

interface ModePickerProps {
  /** Null where it is not known yet. */
  readonly mode: string | null
  readonly onChoose: (mode: Mode) => void
}

/** What tools may do without asking; each choice says what it means where it is chosen. [UI33] */
function ModePicker({ mode, onChoose }: ModePickerProps) {
  if (mode === null) return null
  const known = MODES.find((choice) => choice.mode === mode)
  return (
    <Picker
      testId="mode-picker"
      state={mode}
      name={say('header.permission-mode')}
      words={known ? say(known.name) : mode}
      isName={false}
      title={known && say(known.says)}
      value={mode}
      onChoose={(value) => {
        const chosen = MODES.find((choice) => choice.mode === value)
        if (chosen) onChoose(chosen.mode)
      }}
    >
      {MODES.map((choice) => (
        <option key={choice.mode} value={choice.mode}>
          {say(choice.option)}
        </option>
      ))}
    </Picker>
  )
}
