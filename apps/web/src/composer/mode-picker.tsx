import type { ConversationStore } from '@holdfast/client'
import { useConversation } from '@holdfast/client/react'
import type { ConversationSettings } from '@holdfast/conversation'
import { askedSetting } from '../shared/asked-setting.ts'
import { type PlainKey, say } from '../shared/language/say.ts'

type Mode = NonNullable<ConversationSettings['permissionMode']>

const MODES: readonly { readonly mode: Mode; readonly name: PlainKey; readonly says: PlainKey }[] = [
  { mode: 'plan', name: 'header.plan-only', says: 'header.tools-may-only-read' },
  { mode: 'ask', name: 'header.ask-first', says: 'header.tools-may-read-and-ask' },
  { mode: 'accept-edits', name: 'header.accept-edits', says: 'header.tools-may-also-change-files' },
  { mode: 'bypass', name: 'header.ask-nothing', says: 'header.tools-may-do-everything-that' },
]

/** What tools may do without asking. A change holds at once, in a running turn too. [PERM8] */
export function ModePicker({ store }: { readonly store: ConversationStore }) {
  const known = useConversation(store, (state) => state.overview.settings.permissionMode ?? 'ask')
  const asked = useConversation(store, (state) => askedSetting(state.outbox, 'permissionMode'))
  const mode = asked ?? known
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
