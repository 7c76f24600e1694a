import { createECDH, createPrivateKey, hkdfSync, sign } from 'node:crypto'

/** By what the services of browsers know this installation. */
export interface SenderKey {
  /** A point of P-256, uncompressed, in base64url: a browser asks for it. */
  readonly publicKey: string
  /** The header that says to a service who sends, good for half a day. https://www.rfc-editor.org/rfc/rfc8292 */
  authorization(about: { readonly endpoint: string; readonly subject: string; readonly now: number }): string
}

/** The order of P-256, less one: private keys are from 1 to this. */
const MOST = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632550n
const GOOD_SECONDS = 43_200
/** So many bytes more than a key has that the remainder is even. */
const WIDE_BYTES = 48

/** The key follows from the secret of the installation: all servers of one database have the same, and nothing of it is kept. */
export function senderKey(secret: Uint8Array): SenderKey {
  const wide = Buffer.from(hkdfSync('sha256', secret, '', 'holdfast web push', WIDE_BYTES)).toString('hex')
  const number = (BigInt(`0x${wide}`) % MOST) + 1n
  const ecdh = createECDH('prime256v1')
  ecdh.setPrivateKey(Buffer.from(number.toString(16).padStart(64, '0'), 'hex'))
  const point = ecdh.getPublicKey()
  const coordinate = (from: number): string => point.subarray(from, from + 32).toString('base64url')
  const key = createPrivateKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: coordinate(1),
      y: coordinate(33),
      d: Buffer.from(number.toString(16).padStart(64, '0'), 'hex').toString('base64url'),
    },
  })
  const publicKey = point.toString('base64url')
  return {
    publicKey,
    authorization({ endpoint, subject, now }) {
      const claims = { aud: new URL(endpoint).origin, exp: Math.floor(now / 1_000) + GOOD_SECONDS, sub: subject }
      const said = [{ typ: 'JWT', alg: 'ES256' }, claims].map((part) =>
        Buffer.from(JSON.stringify(part)).toString('base64url'),
      )
      const signed = sign('sha256', Buffer.from(said.join('.')), { key, dsaEncoding: 'ieee-p1363' })
      return `vapid t=${said.join('.')}.${signed.toString('base64url')}, k=${publicKey}`
    },
  }
}
