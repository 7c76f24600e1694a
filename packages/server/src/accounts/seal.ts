import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** Encrypts small secrets for the database, so that a copy of it alone opens nothing. [SEC4] */
export interface Seal {
  /** Seals a text for one place; it opens nowhere else. */
  seal(text: string, place: string): string
  /** The text again; null when it was sealed with another key, for another place, or was changed. */
  open(sealed: string, place: string): string | null
}

const VERSION = 'v1'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Makes a seal from a secret of at least 32 bytes; `purpose` keeps what is sealed for one thing from another. */
export function createSeal(secret: Uint8Array, purpose: string): Seal {
  if (secret.length < 32) throw new Error(`A sealing secret has at least 32 bytes, not ${secret.length}`)
  const key = Buffer.from(hkdfSync('sha256', secret, '', `holdfast seal ${purpose}`, 32))

  return {
    seal(text, place) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(place))
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return `${VERSION}.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')}`
    },
    open(sealed, place) {
      const [version, packed = ''] = sealed.split('.', 2)
      const bytes = Buffer.from(packed, 'base64url')
      if (version !== VERSION || bytes.length < NONCE_BYTES + TAG_BYTES) return null
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES))
        .setAAD(Buffer.from(place))
        .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
      try {
        const body = bytes.subarray(NONCE_BYTES + TAG_BYTES)
        return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8')
      } catch {
        // The only thing that fails here is the check of the tag.
        return null
      }
    },
  }
}
