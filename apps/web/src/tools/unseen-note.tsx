import { say } from '../shared/language/say.ts'
import { useUnseen } from './use-armed.ts'

/** Says beside the button that allows how much of the request nobody was shown; nothing where all was. [UI122] */
export function UnseenNote({ requestId }: { readonly requestId: string }) {
  const unseen = useUnseen(requestId)
  if (unseen === null) return null
  const { lines, characters } = unseen
  return (
    <p className="unseen-note" data-testid="unseen-note">
      {say('tools.not-shown', { lines, characters })}
    </p>
  )
}
