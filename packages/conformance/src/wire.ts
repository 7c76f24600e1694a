/** How events become bytes. */
export interface Wire {
  readonly contentType: string
  /** Headers of every streamed answer beside the content type. */
  readonly headers: Readonly<Record<string, string>>
  encode(event: string, data: Uint8Array): Uint8Array
  /** What keeps a connection awake without saying anything; undefined where the format has none. */
  readonly ping: Uint8Array | undefined
}

/** Server-sent events; `lineEnd` differs between vendors. */
export function createSseWire({
  ping,
  lineEnd,
  headers,
}: {
  readonly ping: string
  readonly lineEnd: '\n' | '\r\n'
  readonly headers: Readonly<Record<string, string>>
}): Wire {
  return {
    contentType: 'text/event-stream; charset=utf-8',
    headers: { 'cache-control': 'no-cache', ...headers },
    encode(event, data) {
      const name = event === '' ? '' : `event: ${event}${lineEnd}`
      return Buffer.concat([Buffer.from(`${name}data: `), data, Buffer.from(lineEnd + lineEnd)])
    },
    ping: Buffer.from(ping),
  }
}
