import type { PlaceQuery } from '@holdfast/engine'
import type { ProblemCode } from '@holdfast/protocol'
import { checkScope, type Principal } from './principal.ts'
import { RefusedError } from './to-problem.ts'

/** The size of a terminal, in characters. */
export interface TerminalSize {
  readonly columns: number
  readonly rows: number
}

/** What is known of a terminal. */
export interface KnownTerminal {
  readonly terminalId: string
  readonly ownerId: string
  readonly conversationId: string
  readonly folder: string
  readonly shell: string
  readonly startedAt: number
}

/** The terminals of this process, and what agents run beside them. They are people's: no agent sees or uses one. [WS25] */
export interface TerminalDirectory {
  list(): readonly KnownTerminal[]
  find(terminalId: string): KnownTerminal | null
  /** The same one where there is one of this id. @throws an error with a `code` of `TERMINAL_REFUSALS` where there can be none. */
  open(
    wish: TerminalSize & Pick<KnownTerminal, 'terminalId' | 'ownerId' | 'conversationId' | 'folder'>,
  ): Promise<unknown>
  /** The methods of the viewer return at once, and do not throw. */
  attach(
    terminalId: string,
    viewer: {
      readonly onScreen: (size: TerminalSize) => void
      readonly onOutput: (output: { readonly text: string; readonly end: number }) => void
      readonly onResize: (size: TerminalSize) => void
      readonly onEnd: (end: { readonly exitCode: number | null }) => void
    },
  ): { readonly read: (through: number) => void; readonly detach: () => void }
  input(terminalId: string, text: string): void
  resize(terminalId: string, size: TerminalSize): void
  /** Settles when nothing that it started is left. */
  end(terminalId: string): Promise<void>
}

/** A command in the background, as a person sees it. */
interface SeenProcess {
  readonly processId: string
  readonly line: string
  readonly ranMs: number
  readonly end: string | null
}

/** What agents run in the background. [WS30] */
export interface BackgroundDirectory {
  list(conversationId: string): readonly SeenProcess[]
  read(
    conversationId: string,
    wanted: { readonly processId: string; readonly fromByte: number },
  ): { readonly row: SeenProcess; readonly text: string; readonly from: number; readonly next: number } | null
  end(conversationId: string, processId: string): Promise<SeenProcess | null>
}

/** What a server knows of terminals. */
export interface TerminalParts {
  /** Absent where there are none. */
  readonly terminals?: TerminalDirectory
  /** Absent where agents run nothing in the background. */
  readonly background?: BackgroundDirectory
  /** Looks for the folders that conversations use; absent where there are none. */
  readonly workspaces?: { folderOf(query: PlaceQuery): string | null }
}

/** Why no terminal is opened, by the code of the error. */
const TERMINAL_REFUSALS: Readonly<Record<string, { readonly status: 429 | 503; readonly code: ProblemCode }>> = {
  'too-many': { status: 429, code: 'too-many-terminals' },
  'not-started': { status: 503, code: 'terminal-not-started' },
}

/** The refusal that an error of opening is; the same error where it is none. */
export function toTerminalRefusal(error: unknown): unknown {
  if (!(error instanceof Error && 'code' in error && typeof error.code === 'string')) return error
  const known = TERMINAL_REFUSALS[error.code]
  return known ? new RefusedError(known.status, known.code, error.message) : error
}

/**
 * A terminal has all rights of whoever runs the server, and asks nobody: it is for administrators, with all that they may.
 *
 * @throws {RefusedError} [WS26]
 */
export function checkTerminal(principal: Principal): void {
  checkScope(principal, 'admin')
}
