import { createCipheriv, createECDH, hkdfSync } from 'node:crypto'

/** What a browser gave to be told by, in base64url. */
export interface PushKeys {
  /** A point of P-256, uncompressed. */
  readonly p256dh: string
  /** 16 bytes. */
  readonly auth: string
}

/** What is new for each message, in bytes. */
export interface MessageSecrets {
  /** 16 of them. */
  readonly salt: Buffer
  /** The private key of the sender for this message alone: 32 of them. */
  readonly privateKey: Buffer
}

/** One record holds all: no message is longer. In bytes. */
const RECORD_BYTES = 4_096
const LAST_RECORD = Buffer.from([2])

/**
 * Encrypts a message for one browser, so that the service between reads nothing of it.
 * https://www.rfc-editor.org/rfc/rfc8291
 *
 * @throws {Error} where the keys of the browser are none.
 */
export function encryptMessage(text: string, { p256dh, auth }: PushKeys, { salt, privateKey }: MessageSecrets): Buffer {
  const sender = createECDH('prime256v1')
  sender.setPrivateKey(privateKey)
  const own = sender.getPublicKey()
  const theirs = Buffer.from(p256dh, 'base64url')
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), theirs, own])
  const shared = derived(sender.computeSecret(theirs), { salt: Buffer.from(auth, 'base64url'), info, bytes: 32 })
  const of = (name: string, bytes: number): Buffer =>
    derived(shared, { salt, info: Buffer.from(`Content-Encoding: ${name}\0`), bytes })
  const cipher = createCipheriv('aes-128-gcm', of('aes128gcm', 16), of('nonce', 12))
  const size = Buffer.alloc(4)
  size.writeUInt32BE(RECORD_BYTES)
  const head = Buffer.concat([salt, size, Buffer.from([own.length]), own])
  const body = [cipher.update(Buffer.concat([Buffer.from(text), LAST_RECORD])), cipher.final(), cipher.getAuthTag()]
  return Buffer.concat([head, ...body])
}

function derived(
  key: Buffer,
  { salt, info, bytes }: { readonly salt: Buffer; readonly info: Buffer; readonly bytes: number },
): Buffer {
  return Buffer.from(hkdfSync('sha256', key, salt, info, bytes))
}
