import type { ConversationStore } from '@holdfast/client'
import { useConversation } from '@holdfast/client/react'
import type { ConversationSettings } from '@holdfast/conversation'
import { askedSetting } from './asked-setting.ts'

type Mode = NonNullable<ConversationSettings['permissionMode']>

const MODES: readonly { readonly mode: Mode; readonly name: string; readonly says: string }[] = [
  { mode: 'plan', name: 'Plan only', says: 'Tools may read in the folder; everything else is denied.' },
  { mode: 'ask', name: 'Ask first', says: 'Tools may read in the folder; for everything else you are asked.' },
  { mode: 'accept-edits', name: 'Accept edits', says: 'Tools may also change files in the folder.' },
  { mode: 'bypass', name: 'Ask nothing', says: 'Tools may do everything that no rule forbids.' },
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
      aria-label="Permission mode"
      title={MODES.find((choice) => choice.mode === mode)?.says}
      value={mode}
      onChange={({ target }) => {
        const chosen = MODES.find((choice) => choice.mode === target.value)
        if (chosen) store.changeSettings({ permissionMode: chosen.mode })
      }}
    >
      {MODES.map((choice) => (
        <option key={choice.mode} value={choice.mode} title={choice.says}>
          {choice.name}
        </option>
      ))}
    </select>
  )
}
