import type { ConversationStore } from '@holdfast/client'
import { useConversation } from '@holdfast/client/react'
import { askedSetting } from '../shared/asked-setting.ts'
import { say } from '../shared/language/say.ts'

/** The switch of one conversation: off, its agent is told no memories and saves none. */
export function RememberHere({ store }: { readonly store: ConversationStore }) {
  const known = useConversation(store, ({ overview }) => overview.settings.memories ?? 'on')
  const asked = useConversation(store, ({ outbox }) => askedSetting(outbox, 'memories'))
  return (
    <section className="inspector-part">
      <label className="check">
        <input
          type="checkbox"
          checked={(asked ?? known) === 'on'}
          onChange={({ target }) => store.changeSettings({ memories: target.checked ? 'on' : 'off' })}
        />
        {say('memories.use-memories-in-this-conversation')}
      </label>
    </section>
  )
}
