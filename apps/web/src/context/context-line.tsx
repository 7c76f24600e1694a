import type { Client, ConversationStore } from '@holdfast/client'
import { setDock } from '../dock/use-dock.ts'
import { say } from '../language/say.ts'
import { ContextRuler } from './context-ruler.tsx'
import { spokenUse, usedWords } from './context-words.ts'
import { useContextUse } from './use-context-use.ts'

/** The ruler on the composer's upper edge, and how full the window is. */
export function ContextLine({ client, store }: { readonly client: Client; readonly store: ConversationStore }) {
  const { value } = useContextUse(client, store)
  if (!value || value.modelId === null || value.usedTokens === 0) return null
  return (
    <div className="context-line">
      <ContextRuler use={value} isTall={false} />
      <button
        type="button"
        className="context-words"
        data-level={value.level}
        aria-label={say('context.open-inspector', { shown: usedWords(value), spoken: spokenUse(value) })}
        onClick={() => setDock('inspector')}
      >
        {usedWords(value)}
      </button>
    </div>
  )
}
