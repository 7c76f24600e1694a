/** Why the server closes a socket: the close code, the `code` of its goodbye, and whether to come back. */
export const CLOSE = {
  /** The frames were none. */
  protocolError: { status: 4400, code: 'protocol-error', retry: false },
  /** No `hello` in time. */
  noHello: { status: 4401, code: 'no-hello', retry: true },
  /** Who uses the socket may not any more: signed out, disabled, or the key was deleted. [SEC1] */
  notAllowed: { status: 4403, code: 'not-allowed', retry: false },
  /** The reader does not keep up; its cursor brings it back. [SYNC3] */
  slowReader: { status: 4408, code: 'slow-reader', retry: true },
  /** The client speaks another version: it loads the page again. [SYNC5] */
  otherProtocol: { status: 4409, code: 'other-protocol', retry: false },
  /** The server shuts down. */
  goingAway: { status: 4001, code: 'going-away', retry: true },
} as const

/** One reason to close. */
export type CloseReason = (typeof CLOSE)[keyof typeof CLOSE]
