/** Why an agent does not go on, in what can be done about it. */
export type AgentFailureCode =
  /** Its program is not there, or does not begin to speak. */
  | 'cannot-start'
  /** It wants a person to sign in first. */
  | 'sign-in'
  /** Its program has gone. */
  | 'gone'
  /** It answered a request with an error. */
  | 'refused'

/** An agent could not be started, or did not go on. */
export class AgentFailure extends Error {
  override readonly name = 'AgentFailure'
  readonly code: AgentFailureCode

  constructor(code: AgentFailureCode, message: string, options: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
