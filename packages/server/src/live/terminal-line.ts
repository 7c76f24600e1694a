import type { EntryStore, SnapshotStore } from '@holdfast/conversation'
import { readOverview } from '@holdfast/engine'
import type { ClientFrame, Problem } from '@holdfast/protocol'
import type { Principal } from '../parts/principal.ts'
import { checkTerminal, type TerminalParts, toTerminalRefusal } from '../parts/terminals.ts'
import { RefusedError } from '../parts/to-problem.ts'
import type { UserCommands } from '../parts/user-commands.ts'
import type { Outlet } from './outlet.ts'

/** The terminals that one socket looks at. */
export interface TerminalLine {
  onFrame(frame: TerminalFrame): void
  /** Looks at none any longer; they go on. [WS25] */
  close(): void
}

/** A frame about terminals. */
export type TerminalFrame = Extract<ClientFrame, { type: `terminal-${string}` }>

/** What one needs. */
export interface TerminalLineDeps {
  readonly parts: TerminalParts
  readonly principal: Principal
  readonly commands: Pick<UserCommands, 'owned' | 'checkAccepting'>
  readonly store: Pick<EntryStore, 'read'> & SnapshotStore
  readonly outlet: Pick<Outlet, 'send'>
  readonly explain: (error: unknown) => Problem
}

interface Watching {
  readonly read: (through: number) => void
  readonly detach: () => void
}

/** One socket looks at so many terminals. */
const MOST_WATCHED = 8

/** Carries what one socket says of terminals to them, and what they show back. */
export function createTerminalLine({
  parts,
  principal,
  commands,
  store,
  outlet,
  explain,
}: TerminalLineDeps): TerminalLine {
  const watched = new Map<string, Watching>()
  let isClosed = false

  function directory() {
    if (parts.terminals) return parts.terminals
    throw new RefusedError(404, 'no-terminals', 'This server has no terminals')
  }

  /** A terminal of this person that this socket looks at; null for any other, which may have ended meanwhile. */
  function own(terminalId: string) {
    return watched.has(terminalId) ? directory() : null
  }

  async function open({
    terminalId,
    conversationId,
    isNew,
    ...size
  }: Extract<TerminalFrame, { type: 'terminal-open' }>) {
    checkTerminal(principal)
    const { userId } = principal
    await commands.owned(userId, conversationId)
    const terminals = directory()
    const known = terminals.find(terminalId)
    if (known !== null && (known.ownerId !== userId || known.conversationId !== conversationId))
      throw new RefusedError(404, 'unknown-terminal', 'There is no such terminal in this conversation')
    if (known === null) {
      if (!isNew) throw new RefusedError(404, 'unknown-terminal', 'This terminal has ended, or is at another server')
      commands.checkAccepting()
      const { settings } = (await readOverview(store, conversationId)).state
      const folder = parts.workspaces?.folderOf({ ownerId: userId, settings }) ?? null
      if (folder === null)
        throw new RefusedError(409, 'no-folder', 'A terminal begins in the folder of the conversation, which has none')
      await terminals.open({ terminalId, conversationId, ownerId: userId, folder, ...size }).catch((error: unknown) => {
        throw toTerminalRefusal(error)
      })
    }
    if (isClosed) return
    leave(terminalId)
    if (watched.size >= MOST_WATCHED)
      throw new RefusedError(429, 'too-many-terminals', `A page looks at ${MOST_WATCHED} terminals at most`)
    const attached = terminals.attach(terminalId, {
      onScreen: ({ columns, rows }) => outlet.send({ type: 'terminal-open', terminalId, columns, rows }),
      onOutput: ({ text, end }) => outlet.send({ type: 'terminal-output', terminalId, text, end }),
      onResize: ({ columns, rows }) => outlet.send({ type: 'terminal-resize', terminalId, columns, rows }),
      onEnd({ exitCode }) {
        watched.delete(terminalId)
        outlet.send({ type: 'terminal-close', terminalId, exitCode })
      },
    })
    watched.set(terminalId, attached)
    terminals.resize(terminalId, size)
  }

  function leave(terminalId: string): void {
    watched.get(terminalId)?.detach()
    watched.delete(terminalId)
  }

  function refuse(terminalId: string, error: unknown): void {
    if (!isClosed) outlet.send({ type: 'refused', terminalId, problem: explain(error) })
  }

  return {
    onFrame(frame) {
      const { terminalId } = frame
      switch (frame.type) {
        case 'terminal-open':
          open(frame).catch((error: unknown) => refuse(terminalId, error))
          return
        case 'terminal-input':
          own(terminalId)?.input(terminalId, frame.text)
          return
        case 'terminal-resize':
          own(terminalId)?.resize(terminalId, frame)
          return
        case 'terminal-read':
          watched.get(terminalId)?.read(frame.through)
          return
        case 'terminal-close':
          if (frame.ends)
            own(terminalId)
              ?.end(terminalId)
              .catch((error: unknown) => refuse(terminalId, error))
          else leave(terminalId)
      }
    },
    close() {
      isClosed = true
      for (const { detach } of watched.values()) detach()
      watched.clear()
    },
  }
}
