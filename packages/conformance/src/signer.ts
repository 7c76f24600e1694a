import { createHash, createHmac } from 'node:crypto'
import { isRecord, parseJson } from './json.ts'

/** What a signature covers. */
export interface Sealed {
  /** The family of the model that made the content. */
  readonly family: string
  /** What was thought or called. */
  readonly content: string
  /** Everything before it, as one hash; empty where the model does not bind. */
  readonly prefix: string
  /** The signature of the thinking before it; empty for the first. */
  readonly previous: string
}

/** A signature whose maker is this provider; each question compares against what was sealed. */
export interface OpenedSeal {
  readonly family: string
  covers(content: string): boolean
  isBoundTo(prefix: string): boolean
  follows(previous: string): boolean
}

/** Makes and reads the signatures of thinking, encrypted reasoning and thought signatures. */
export interface Signer {
  seal(sealed: Sealed): string
  /** Undefined where the text is not a signature of this provider. */
  open(signature: string): OpenedSeal | undefined
}

/** Signatures are HMACs under the secret, so a provider with the same secret reads them after a restart. */
export function createSigner(secret: string): Signer {
  const mac = (part: string, text: string) =>
    createHmac('sha256', secret).update(part).update('\0').update(text).digest('base64url')

  return {
    seal({ family, content, prefix, previous }) {
      const fields = { f: family, c: mac('content', content), p: mac('prefix', prefix), b: mac('previous', previous) }
      const whole = mac('whole', JSON.stringify(fields))
      return Buffer.from(JSON.stringify({ ...fields, m: whole })).toString('base64')
    },
    open(signature) {
      const read = parseJson(Buffer.from(signature, 'base64').toString())
      if (!isRecord(read)) return undefined
      const { f, c, p, b, m } = read
      if (typeof f !== 'string' || m !== mac('whole', JSON.stringify({ f, c, p, b }))) return undefined
      // Base64 has several spellings of one text; a signature has one.
      if (Buffer.from(JSON.stringify(read)).toString('base64') !== signature) return undefined
      return {
        family: f,
        covers: (content) => c === mac('content', content),
        isBoundTo: (prefix) => p === mac('prefix', prefix),
        follows: (previous) => b === mac('previous', previous),
      }
    },
  }
}

/** Adds one text to a running hash, so that the hash of a prefix costs only its last block. */
export function chainHash(before: string, text: string): string {
  return createHash('sha256').update(before).update('\0').update(text).digest('base64url')
}
