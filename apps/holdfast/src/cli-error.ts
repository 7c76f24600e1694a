/** A command cannot be carried out; the message says what is so and what to do, and goes to the terminal as it is. */
export class CliError extends Error {
  override readonly name = 'CliError'
  /** Stands behind the message in parentheses, for scripts and for searches. */
  readonly code: string
  readonly exitCode: number

  constructor(code: string, exitCode: number, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
    this.exitCode = exitCode
  }
}
