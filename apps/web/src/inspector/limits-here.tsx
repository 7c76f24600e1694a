import type { ConversationStore } from '@holdfast/client'
import { useConversation } from '@holdfast/client/react'
import { OwnLimits } from '../limits/own-limits.tsx'
import { say } from '../shared/language/say.ts'

/** What is set for this conversation alone. What is refused is told above the composer, as other settings are. */
export function LimitsHere({ store }: { readonly store: ConversationStore }) {
  const own = useConversation(store, ({ overview }) => overview.settingLayers.own)
  return (
    <section className="inspector-part">
      <OwnLimits
        title={say('limits.here')}
        lead={say('limits.here-lead')}
        settings={own}
        onSet={(key, value) => store.changeSettings({ [key]: value })}
      />
    </section>
  )
}
