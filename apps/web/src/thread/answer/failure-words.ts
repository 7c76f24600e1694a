import type { ProviderErrorCode } from '@holdfast/conversation'
import { say } from '../../shared/language/say.ts'

/** What a failure of a provider is called, and what can be done about it. [RUN9] */
export interface FailureWords {
  readonly title: string
  readonly advice: string
}

/** The words for each kind of failure. */
export function failureWords(code: ProviderErrorCode): FailureWords {
  switch (code) {
    case 'auth':
      return {
        title: say('answer.the-provider-did-not-accept'),
        advice: say('answer.give-it-a-valid-key'),
      }
    case 'rate-limit':
      return { title: say('answer.rate-limited'), advice: say('answer.too-many-requests-at-once') }
    case 'quota':
      return { title: say('answer.the-account-has-no-credit'), advice: say('answer.add-credit-with-the-provider') }
    case 'too-long':
      return {
        title: say('answer.the-request-is-too-long'),
        advice: say('answer.shorten-the-conversation-or-use'),
      }
    case 'network':
      return {
        title: say('answer.lost-contact-with-the-provider'),
        advice: say('answer.whatever-arrived-is-kept'),
      }
    case 'overloaded':
      return { title: say('answer.the-provider-is-overloaded'), advice: say('answer.it-is-not-your-request') }
    case 'model-missing':
      return { title: say('answer.there-is-no-such-model'), advice: say('answer.choose-another-model-or-install') }
    case 'refused':
      return { title: say('answer.the-model-declined-to-answer'), advice: say('answer.say-it-in-other-words') }
    case 'bad-request':
      return {
        title: say('answer.the-provider-did-not-understand'),
        advice: say('answer.this-is-a-defect-of'),
      }
    case 'internal':
      return {
        title: say('answer.something-broke-in-the-program'),
        advice: say('answer.the-conversation-is-kept-the'),
      }
  }
}
