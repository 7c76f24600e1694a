/** A language server did not do what it was asked: it has ended, or refused. */
export class ServerError extends Error {
  override readonly name = 'ServerError'
  /** `ended` for one that is gone, else what the server says. */
  readonly code: 'ended' | number

  constructor({ code, message }: { readonly code: 'ended' | number; readonly message: string }) {
    super(message)
    this.code = code
  }
}
