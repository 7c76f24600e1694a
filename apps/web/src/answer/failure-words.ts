/** What a failure of a provider is called, and what can be done about it. [RUN9] */
export interface FailureWords {
  readonly title: string
  readonly advice: string
}

/** The words for each kind of failure. `code` is from the log: a newer server may know more kinds. */
export function failureWords(code: unknown): FailureWords {
  switch (code) {
    case 'auth':
      return {
        title: 'The provider did not accept the key',
        advice: 'Give it a valid key, or use another model. The message is kept.',
      }
    case 'rate-limit':
      return { title: 'Rate limited', advice: 'Too many requests at once. Wait a moment, then send again.' }
    case 'quota':
      return { title: 'The account has no credit left', advice: 'Add credit with the provider, or use another model.' }
    case 'too-long':
      return {
        title: 'The request is too long for this model',
        advice: 'Shorten the conversation, or use a model with a larger window.',
      }
    case 'network':
      return {
        title: 'Lost contact with the provider',
        advice: 'What had arrived is kept and goes with your next message. Nothing was run twice.',
      }
    case 'overloaded':
      return { title: 'The provider is overloaded', advice: 'It is not your request. Try again in a while.' }
    case 'model-missing':
      return { title: 'There is no such model', advice: 'Choose another model, or install this one where it runs.' }
    case 'refused':
      return { title: 'The model declined to answer', advice: 'Say it in other words, or ask something else.' }
    case 'bad-request':
      return {
        title: 'The provider did not understand the request',
        advice: 'This is a defect of this program or of the provider. The details help to report it.',
      }
    default:
      return {
        title: 'Something broke in the program',
        advice: 'The conversation is kept. The details help to report it.',
      }
  }
}
