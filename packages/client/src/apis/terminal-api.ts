import {
  type BodyOf,
  type ClientFrame,
  ownRoutes,
  type Problem,
  type ServerFrame,
  TERMINAL_BOUNDS,
} from '@holdfast/protocol'
import type { HttpApi } from '../link/http-api.ts'

/** The size of a terminal, in characters. */
export interface TerminalSize {
  readonly columns: number
  readonly rows: number
}

/** Draws a terminal. */
export interface TerminalScreen {
  /** What is written next draws the whole screen anew, in this size. */
  begin(size: TerminalSize): void
  /** Draws what came; `onDrawn` lets more come. */
  write(text: string, onDrawn: () => void): void
  /** Another page gave it another size. */
  resized(size: TerminalSize): void
  /** It has ended. */
  ended(end: { readonly exitCode: number | null }): void
  /** There is none, or none may be had. */
  refused(problem: Problem): void
}

/** A terminal that is looked at. */
export interface OpenedTerminal {
  input(text: string): void
  resize(size: TerminalSize): void
  /** Looks at it no longer; it goes on. */
  leave(): void
  /** Ends it with all that it started. */
  end(): void
}

/** Which terminal is looked at. */
export interface TerminalQuery extends TerminalSize {
  readonly terminalId: string
  readonly conversationId: string
  /** Whether it is made where there is none of this id. */
  readonly isNew: boolean
}

/** What there is of terminals and background processes in a conversation. */
export type TerminalsHere = BodyOf<typeof ownRoutes.listTerminals, 200>

/** The terminals of this person, and what agents run beside them. */
export interface TerminalApi {
  /** @throws {RequestFailedError} */
  list(conversationId: string): Promise<TerminalsHere>
  /** Looks at one, over breaks of the line too. */
  open(query: TerminalQuery, screen: TerminalScreen): OpenedTerminal
  /** An id for a new one. */
  newId(): string
  /** @throws {RequestFailedError} */
  readProcess(conversationId: string, processId: string): Promise<BodyOf<typeof ownRoutes.readProcess, 200>>
  /** @throws {RequestFailedError} */
  endProcess(conversationId: string, processId: string): Promise<void>
}

/** The way to terminals, with the line that it goes over. */
export interface TerminalPeer {
  readonly api: TerminalApi
  onLive(): void
  onFrame(frame: ServerFrame): void
}

interface Shown {
  query: TerminalQuery
  readonly screen: TerminalScreen
}

/** Makes the way to terminals. */
export function createTerminalPeer({
  ask,
  send,
  newId,
}: {
  readonly ask: HttpApi
  readonly send: (frame: ClientFrame) => void
  readonly newId: () => string
}): TerminalPeer {
  const shown = new Map<string, Shown>()

  function look({ query }: Shown): void {
    send({ type: 'terminal-open', ...query })
  }

  return {
    api: {
      list(conversationId) {
        const { listTerminals: route } = ownRoutes
        return ask(route, route.answers[200], { params: { id: conversationId } })
      },
      open(query, screen) {
        const { terminalId } = query
        const own: Shown = { query, screen }
        shown.set(terminalId, own)
        look(own)
        return {
          input(text) {
            for (let at = 0; at < text.length; at += TERMINAL_BOUNDS.inputLength)
              send({ type: 'terminal-input', terminalId, text: text.slice(at, at + TERMINAL_BOUNDS.inputLength) })
          },
          resize({ columns, rows }) {
            own.query = { ...own.query, columns, rows }
            send({ type: 'terminal-resize', terminalId, columns, rows })
          },
          leave() {
            if (shown.get(terminalId) !== own) return
            shown.delete(terminalId)
            send({ type: 'terminal-close', terminalId, ends: false })
          },
          end: () => send({ type: 'terminal-close', terminalId, ends: true }),
        }
      },
      newId,
      readProcess(conversationId, processId) {
        const { readProcess: route } = ownRoutes
        return ask(route, route.answers[200], { params: { id: conversationId, processId } })
      },
      async endProcess(conversationId, processId) {
        const { endProcess: route } = ownRoutes
        await ask(route, route.answers[200], { params: { id: conversationId, processId } })
      },
    },
    onLive() {
      for (const own of shown.values()) look(own)
    },
    onFrame(frame) {
      switch (frame.type) {
        case 'terminal-open': {
          const own = shown.get(frame.terminalId)
          if (!own) return
          // It is there now: after a break of the line it is looked for, and not made a second time.
          own.query = { ...own.query, isNew: false }
          own.screen.begin(frame)
          return
        }
        case 'terminal-output': {
          const { terminalId, text, end } = frame
          shown.get(terminalId)?.screen.write(text, () => send({ type: 'terminal-read', terminalId, through: end }))
          return
        }
        case 'terminal-resize':
          shown.get(frame.terminalId)?.screen.resized(frame)
          return
        case 'terminal-close':
          shown.get(frame.terminalId)?.screen.ended(frame)
          shown.delete(frame.terminalId)
          return
        case 'refused': {
          const { terminalId, problem } = frame
          if (terminalId === undefined) return
          shown.get(terminalId)?.screen.refused(problem)
          shown.delete(terminalId)
          return
        }
        case 'welcome':
        case 'overview':
        case 'entries':
        case 'draft':
        case 'delta':
        case 'progress':
        case 'erased':
        case 'write-failed':
        case 'caught-up':
        case 'accepted':
        case 'conversations':
        case 'composer':
        case 'pong':
        case 'goodbye':
          return
      }
    },
  }
}
