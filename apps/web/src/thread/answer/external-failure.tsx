import type { ProviderErrorCode, TranscriptItemOf } from '@holdfast/conversation'
import { navigate } from '../../shared/address.ts'
import { say } from '../../shared/language/say.ts'
import { wordsOf } from '../thread-parts.ts'
import { FailureFrame } from './failure-card.tsx'
import type { FailureWords } from './failure-words.ts'

interface ExternalFailureProps {
  readonly item: TranscriptItemOf<'error'>
  /** Of the program that answers. */
  readonly name: string
  /** Whether something can still be done about it. */
  readonly isOpen: boolean
}

/** A program that could not be started, wants a sign-in, or did not go on: what is so, and what to do. [UI109] */
export function ExternalFailure({ item, name, isOpen }: ExternalFailureProps) {
  const { title, advice } = wordsFor(item.code, name)
  return (
    <FailureFrame
      title={title}
      advice={advice}
      code={item.code}
      details={wordsOf(item.parts)}
      nextSteps={
        isOpen ? (
          <div className="next-steps" data-testid="next-steps">
            <button
              type="button"
              className="button"
              onClick={() => navigate({ type: 'settings', section: 'agents' }, 'push')}
            >
              {say('external.open-settings')}
            </button>
          </div>
        ) : null
      }
    />
  )
}

function wordsFor(code: ProviderErrorCode, name: string): FailureWords {
  switch (code) {
    case 'model-missing':
      return { title: say('external.could-not-be-started', { name }), advice: say('external.test-it-in-the-settings') }
    case 'auth':
      return { title: say('external.wants-a-sign-in', { name }), advice: say('external.sign-in-to-it') }
    case 'rate-limit':
    case 'quota':
    case 'too-long':
    case 'network':
    case 'overloaded':
    case 'refused':
    case 'bad-request':
    case 'internal':
      return { title: say('external.did-not-go-on', { name }), advice: say('external.what-it-said-is-kept') }
  }
}
