/** A page of the log could not be read: the server was not reached, or refused. Ask again later. */
export class PageNotReadError extends Error {
  override readonly name = 'PageNotReadError'
  readonly code = 'page-not-read'
}
