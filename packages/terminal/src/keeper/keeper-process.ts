import { readLines } from '../read-lines.ts'
import { type KeptTerminal, openKeptTerminal } from './kept-terminal.ts'
import type { KeeperOrder, KeeperReport } from './messages.ts'

/**
 * The program of the keeper: it has the pseudo-terminals and their screens, so that a flood of output is drawn beside
 * the server and not in it. When the server is gone it hangs up all of them and ends. [WS27]
 */
const terminals = new Map<string, KeptTerminal>()

process.stdin.on(
  'data',
  readLines((line) => obey(JSON.parse(line))),
)
process.stdin.on('end', leave)
process.stdin.on('error', leave)
// Nobody reads what it says: the server is gone.
process.stdout.on('error', leave)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})

function obey(order: KeeperOrder): void {
  if (order.type === 'open') {
    open(order)
    return
  }
  const terminal = terminals.get(order.terminalId)
  if (!terminal) return
  switch (order.type) {
    case 'attach':
      terminal.attach(order.viewerId)
      return
    case 'detach':
      terminal.detach(order.viewerId)
      return
    case 'read':
      terminal.read(order.viewerId, order.through)
      return
    case 'input':
      terminal.input(order.text)
      return
    case 'resize':
      terminal.resize(order)
      return
    case 'hang-up':
      terminal.hangUp()
  }
}

function open(order: Extract<KeeperOrder, { type: 'open' }>): void {
  const { terminalId } = order
  try {
    const terminal = openKeptTerminal(order, (said) => {
      if (said.type === 'exited') terminals.delete(terminalId)
      report(said)
    })
    terminals.set(terminalId, terminal)
    report({ type: 'opened', terminalId, pid: terminal.pid })
  } catch (error) {
    report({ type: 'not-opened', terminalId, message: error instanceof Error ? error.message : String(error) })
  }
}

function report(said: KeeperReport): void {
  process.stdout.write(`${JSON.stringify(said)}\n`)
}

function leave(): void {
  for (const terminal of terminals.values()) terminal.hangUp()
  process.exit()
}
