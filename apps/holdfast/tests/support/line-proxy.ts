import { connect, createServer, type Socket } from 'node:net'

/** A network between a command and its server, that a test cuts or lets swallow requests. */
export interface LineProxy {
  readonly port: number
  /** Cuts every line that is open, as a network does it: nobody says goodbye. @returns how many there were. */
  cut(): number
  /** From now on a request with these words in its first line, and what follows on its line, reaches nobody. */
  swallow(words: string): void
  /** The next request with these words in its first line reaches the server, and its line is cut before the answer. */
  loseAnswerTo(words: string): void
  close(): Promise<void>
}

/** Starts it on a free port of this computer. `serverPort` is asked for every line. */
export async function startLineProxy(serverPort: () => number): Promise<LineProxy> {
  const open = new Set<Socket>()
  let swallowed: string | null = null
  let unanswered: string | null = null
  const server = createServer((near) => {
    const far = connect(serverPort(), '127.0.0.1')
    open.add(near)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('error', () => {})
      from.on('close', () => {
        open.delete(near)
        to.destroy()
      })
    }
    let isMute = false
    let isLost = false
    near.on('data', (piece) => {
      const [firstLine = ''] = piece.toString('latin1').split('\r\n', 1)
      isMute ||= swallowed !== null && firstLine.includes(swallowed)
      if (unanswered !== null && firstLine.includes(unanswered)) {
        unanswered = null
        isLost = true
      }
      if (!isMute) far.write(piece)
    })
    far.on('data', (piece) => {
      if (isLost) near.resetAndDestroy()
      else near.write(piece)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('The proxy has no port')
  return {
    port: address.port,
    cut() {
      const count = open.size
      for (const near of open) near.resetAndDestroy()
      return count
    },
    swallow(words) {
      swallowed = words
    },
    loseAnswerTo(words) {
      unanswered = words
    },
    close: () =>
      new Promise((resolve) => {
        for (const near of open) near.destroy()
        server.close(() => resolve())
      }),
  }
}
