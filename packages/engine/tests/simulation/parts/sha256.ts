import { createHash } from 'node:crypto'

/** Hash of a text, SHA-256 in lower-case hexadecimal. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
