import type { Socket } from 'node:net'
import type { Accounts, StartUpToken } from '@holdfast/server'

/** A running Holdfast. */
export interface Running {
  readonly url: string
  /** The address that people open, which may lead over a proxy and under a path. */
  readonly opened: string
  readonly token: string
  /** What opens the page: with the token, or where an account can be made or used. */
  readonly link: string
  /** What opens the page in the browser that is started here: in the place of the token with a code, good once. [SEC20] */
  linkWithCode(code: string): string
  readonly startupToken: StartUpToken
  /** Serves a line that came at an address which it shares with others. [SCALE4] */
  take(line: Socket): void
  /** Resolves when a newer Holdfast has changed the database so that this server cannot go on. [SCALE30] */
  readonly outdated: Promise<void>
  /** Refuses new work, ends what runs and writes it down, says goodbye, closes. */
  close(): Promise<void>
}

/** Where the first account is made, or where people sign in. */
export function linkOf({ needsSetup, setupToken }: Accounts, opened: string): string {
  return needsSetup() ? `${opened}/setup?token=${setupToken()}` : `${opened}/`
}
