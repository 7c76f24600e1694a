import type { Client, ConversationStore } from '@holdfast/client'
import { useConversation, useObservable } from '@holdfast/client/react'
import { type ConversationSettings, permissionModeOf } from '@holdfast/conversation'
import { askedSetting } from '../shared/asked-setting.ts'
import { type PlainKey, say } from '../shared/language/say.ts'

type Mode = NonNullable<ConversationSettings['permissionMode']>

const MODES: readonly { readonly mode: Mode; readonly name: PlainKey; readonly says: PlainKey }[] = [
  { mode: 'plan', name: 'header.plan-only', says: 'header.tools-may-only-read' },
  { mode: 'ask', name: 'header.ask-first', says: 'header.tools-may-read-and-ask' },
  { mode: 'accept-edits', name: 'header.accept-edits', says: 'header.tools-may-also-change-files' },
  { mode: 'bypass', name: 'header.ask-nothing', says: 'header.tools-may-do-everything-that' },
]

interface ModePickerProps {
  readonly client: Client
  readonly store: ConversationStore
}

/**
 * What tools may do without asking: what the conversation says, else the operator, and nothing until that is known. A
 * change holds at once, in a running turn too. [PERM8, WIN11]
 */
export function ModePicker({ client, store }: ModePickerProps) {
  const settings = useConversation(store, (state) => state.overview.settings)
  const operator = useObservable(client.models, ({ value }) => value?.permissionMode ?? null)
  const asked = useConversation(store, (state) => askedSetting(state.outbox, 'permissionMode'))
  const mode = asked ?? (operator === null ? settings.permissionMode : permissionModeOf(settings, { mode: operator }))
  if (mode === undefined) return null
  return (
    <select
      className="picker"
      data-testid="mode-picker"
      data-state={mode}
      aria-label={say('header.permission-mode')}
      title={titleOf(mode)}
      value={mode}
      onChange={({ target }) => {
        const chosen = MODES.find((choice) => choice.mode === target.value)
        if (chosen) store.changeSettings({ permissionMode: chosen.mode })
      }}
    >
      {MODES.map((choice) => (
        <option key={choice.mode} value={choice.mode} title={say(choice.says)}>
          {say(choice.name)}
        </option>
      ))}
    </select>
  )
}

function titleOf(mode: string): string | undefined {
  const known = MODES.find((choice) => choice.mode === mode)
  return known && say(known.says)
}
