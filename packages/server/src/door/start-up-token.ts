import { createHmac, randomBytes } from 'node:crypto'
import type { Clock } from '@holdfast/conversation'
import { ALL_SCOPES, type Credential, type Principal } from '../parts/principal.ts'
import { isSame } from './credentials.ts'
import { LOCAL_USER_ID } from './gate.ts'

/** The start-up token of a data folder as a running server has it. Who has it is the operator. [SEC2, SEC21, SEC22] */
export interface StartUpToken {
  /** As it is now. */
  current(): string
  /** Whether a bearer is it, or the pass that who has it makes for this run of the server. */
  opens(bearer: string): boolean
  /** Names this run of the server; it is no secret. */
  readonly run: string
  /** Shows who asks with a challenge that this run of the server has the token. [SEC21] */
  prove(challenge: string): string
  /** A code that takes the token's place in an address: good once, and for a minute. [SEC20] */
  makeCode(): string
  /** Takes a code that another process behind the same port has made. */
  keepCode(code: string): void
  /** Forgets a code that was taken at another of these processes. */
  dropCode(code: string): void
  /** Whether it is such a code; it is none afterwards. */
  takeCode(code: string): boolean
  /** The operator, who came in with it. */
  admit(credential: Credential): Principal
  /** Whether someone came in with the token that counts now. */
  isCurrent(principal: Principal): boolean
  /** Puts another in its place: what was made of the old one opens nothing any more. [SEC22] */
  replace(next: string): void
  /** @returns the end of it. */
  onReplaced(listener: () => void): () => void
}

/** How long a code is good, in milliseconds. */
const CODE_MS = 60_000

/** Holds a token. */
export function createStartUpToken({
  token,
  clock,
  run: given,
}: {
  readonly token: string
  readonly clock: Pick<Clock, 'now'>
  /** That of all processes behind one port; without it, this process has one of its own. */
  readonly run?: string
}): StartUpToken {
  let current = token
  let admitted = new WeakSet<Principal>()
  /** Until when each is good. */
  const codes = new Map<string, number>()
  const listeners = new Set<() => void>()
  const run = given ?? randomBytes(16).toString('base64url')

  function keepCode(code: string): void {
    for (const [known, until] of codes) if (until <= clock.now()) codes.delete(known)
    codes.set(code, clock.now() + CODE_MS)
  }

  return {
    current: () => current,
    opens: (bearer) => isSame(bearer, current) || isSame(bearer, passOf(current, run)),
    run,
    prove: (challenge) => proofOf(current, { challenge, run }),
    makeCode() {
      const code = randomBytes(24).toString('base64url')
      keepCode(code)
      return code
    },
    keepCode,
    dropCode: (code) => void codes.delete(code),
    takeCode(code) {
      const until = codes.get(code) ?? 0
      codes.delete(code)
      return until > clock.now()
    },
    admit(credential) {
      const principal: Principal = { userId: LOCAL_USER_ID, role: 'admin', scopes: ALL_SCOPES, credential }
      admitted.add(principal)
      return principal
    },
    isCurrent: (principal) => admitted.has(principal),
    replace(next) {
      current = next
      admitted = new WeakSet()
      codes.clear()
      for (const listener of listeners) listener()
    },
    onReplaced(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/**
 * What a server answers to a challenge with. The run is in it, so that a program that has taken the port over cannot pass
 * the challenge on to a server that was started since. [SEC21]
 */
export function proofOf(
  token: string,
  { challenge, run }: { readonly challenge: string; readonly run: string },
): string {
  return keyedHash(token, ['holdfast proof 1', challenge, run])
}

/** What commands send in the place of the token: it opens this run of the server and no other. [SEC21] */
export function passOf(token: string, run: string): string {
  return keyedHash(token, ['holdfast pass 1', run])
}

/** A hash of words, each apart from the next, that only who has the key can make. */
export function keyedHash(key: string | Uint8Array, words: readonly string[]): string {
  return createHmac('sha256', key).update(JSON.stringify(words)).digest('base64url')
}
