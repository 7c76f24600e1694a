import { connect, createServer, type Socket } from 'node:net'

/** What stands on a port of this computer before another, and carries lines between them as it is told to. */
export interface ForwardedLines {
  readonly port: number
  /** Cuts what is open. */
  cut(): void
  close(): Promise<void>
}

/** Starts it on a free port. `target` is asked for every line, and `carry` for each way of it. */
export async function forwardLines(
  target: () => number,
  carry: (from: Socket, to: Socket) => void,
): Promise<ForwardedLines> {
  const open = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(target(), '127.0.0.1')
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from)
      from.on('error', () => {})
      from.on('close', () => {
        open.delete(from)
        to.destroy()
      })
      carry(from, to)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('A port was expected')
  const cut = (): void => {
    for (const socket of open) socket.destroy()
  }
  return {
    port: address.port,
    cut,
    close() {
      cut()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
