import type { Line, LineEvents, Transport } from '../../src/link/transport.ts'

/** What becomes of a frame. */
export type Delivery = 'deliver' | 'drop' | 'twice' | 'late' | 'cut'

/** The server's end of one connection. */
export interface ServerEnd {
  onText(text: string): void
  onClose(): void
}

/** A line that does to each frame what the test has drawn, in both directions. */
export interface BadLine {
  readonly transport: Transport
  /** Brings what is under way to its delivery, until nothing is under way. */
  run(): void
  /** Breaks every connection. */
  cut(): void
  /** From now on the line is a good one. */
  heal(): void
}

interface Connection {
  readonly events: LineEvents
  end: ServerEnd | null
  open: boolean
}

/** Makes a line to a server. `accept` gets a way to send to the client. */
export function createBadLine(
  deliveries: readonly Delivery[],
  accept: (send: (text: string) => void) => ServerEnd,
): BadLine {
  const left = [...deliveries]
  const connections = new Set<Connection>()
  let underWay: { readonly connection: Connection; readonly deliver: () => void; readonly isLate: boolean }[] = []

  function put(connection: Connection, deliver: () => void): void {
    underWay.push({ connection, deliver, isLate: false })
  }

  function breakOff(connection: Connection): void {
    if (!connection.open) return
    connection.open = false
    connections.delete(connection)
    connection.end?.onClose()
    connection.events.onClose({ code: null, unauthorized: false })
  }

  return {
    transport: {
      open(events): Line {
        const connection: Connection = { events, end: null, open: true }
        connections.add(connection)
        put(connection, () => {
          connection.end = accept((text) => put(connection, () => events.onText(text)))
          events.onOpen()
        })
        return {
          send(text) {
            if (connection.open) put(connection, () => connection.end?.onText(text))
          },
          close() {
            connection.open = false
            connections.delete(connection)
            connection.end?.onClose()
          },
        }
      },
    },
    run() {
      for (let next = underWay.shift(); next; next = underWay.shift()) {
        const { connection, deliver, isLate } = next
        if (!connection.open) continue
        const delivery = isLate || connection.end === null ? 'deliver' : (left.shift() ?? 'deliver')
        if (delivery === 'cut') breakOff(connection)
        if (delivery === 'late') underWay.push({ connection, deliver, isLate: true })
        if (delivery === 'deliver' || delivery === 'twice') deliver()
        if (delivery === 'twice' && connection.open) deliver()
      }
    },
    cut() {
      for (const connection of [...connections]) breakOff(connection)
    },
    heal() {
      left.length = 0
      underWay = underWay.filter(({ connection }) => connection.open)
    },
  }
}
