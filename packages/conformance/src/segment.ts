import { chainHash } from './signer.ts'

/** How long a marked prefix lives. */
export type CacheLifetime = '5m' | '1h'

/** One block of a prompt in the order in which the model reads it: tools, instructions, messages. */
export interface Segment {
  /** Where in the body, as `messages.2.content.0`. */
  readonly path: string
  readonly part: 'tools' | 'system' | 'messages'
  /** One spelling of what the model reads; cache marks are not in it. */
  readonly text: string
  readonly tokens: number
  /** The client's cache mark after this block. */
  readonly mark?: CacheLifetime
}

/** The tokens of a whole prompt. */
export function tokensOf(segments: readonly Segment[]): number {
  return segments.reduce((sum, segment) => sum + segment.tokens, 0)
}

/** For each block the hash of everything up to and with it. `settings` are those that change how messages are read. */
export function prefixHashes(segments: readonly Segment[], settings: string): readonly string[] {
  const hashes: string[] = []
  let hash = ''
  let inMessages = false
  for (const segment of segments) {
    if (segment.part === 'messages' && !inMessages) {
      hash = chainHash(hash, settings)
      inMessages = true
    }
    hash = chainHash(hash, `${segment.part}\0${segment.text}`)
    hashes.push(hash)
  }
  return hashes
}
