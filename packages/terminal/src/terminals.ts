import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import type { Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { Clock } from '@holdfast/conversation'
import {
  childEnvironment,
  endGroup,
  LaunchError,
  launchProgram,
  type ProcessRegister,
  type RunningProgram,
} from '@holdfast/tool/process'
import type { KeeperOrder, KeeperReport } from './keeper/messages.ts'
import { TERMINAL_LIMITS } from './limits.ts'
import { readLines } from './read-lines.ts'

/** What a terminal is opened with. */
export interface TerminalWish {
  readonly terminalId: string
  readonly ownerId: string
  readonly conversationId: string
  /** Absolute; its shell begins there. */
  readonly folder: string
  readonly columns: number
  readonly rows: number
}

/** What is known of a terminal. */
export interface TerminalFacts extends TerminalWish {
  /** Milliseconds since the Unix epoch. */
  readonly startedAt: number
  /** The name of its shell. */
  readonly shell: string
}

/** One page that looks at a terminal. Its methods return at once. */
export interface TerminalViewer {
  /** What follows draws the whole screen anew. */
  onScreen(size: { readonly columns: number; readonly rows: number }): void
  /** `end`: how much it was sent with it since it attached, in UTF-16 code units. */
  onOutput(output: { readonly text: string; readonly end: number }): void
  onResize(size: { readonly columns: number; readonly rows: number }): void
  /** It has ended; nothing comes afterwards. `exitCode`: null where nobody knows. */
  onEnd(end: { readonly exitCode: number | null }): void
}

/** Why there is no terminal. */
export class TerminalError extends Error {
  override readonly name = 'TerminalError'
  readonly code: 'too-many' | 'not-started'

  constructor(code: TerminalError['code'], message: string, options?: { readonly cause?: unknown }) {
    super(message, options)
    this.code = code
  }
}

/** The terminals of the people of one server. They are theirs: no agent sees or uses them. [WS25] */
export interface Terminals {
  list(): readonly TerminalFacts[]
  find(terminalId: string): TerminalFacts | null
  /** @throws {TerminalError} */
  open(wish: TerminalWish): Promise<TerminalFacts>
  /** Looks at one; ends with what it returns. Does nothing for one that is not there. */
  attach(terminalId: string, viewer: TerminalViewer): Attached
  input(terminalId: string, text: string): void
  resize(terminalId: string, size: { readonly columns: number; readonly rows: number }): void
  /** Ends one with all that it started, and waits until nothing of it is left. */
  end(terminalId: string): Promise<void>
  /** Ends all of them; none opens afterwards. */
  close(): Promise<void>
}

/** A viewer that looks at a terminal. */
export interface Attached {
  /** It has drawn all up to there: more may come. */
  read(through: number): void
  detach(): void
}

/** What they are made of. */
export interface TerminalsDeps {
  readonly clock: Clock
  /** The server's own environment; shells get the harmless part of it. [SEC4] */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Knows the process groups where a kill of ours does not reach. [RUN14] */
  readonly register: ProcessRegister
  /** Marks all that a terminal starts, so that what leaves its group is found, by a later start too. */
  readonly marking: (terminalId: string) => {
    readonly variables: Readonly<Record<string, string>>
    /** Ends what carries the mark. */
    readonly endAll: () => Promise<unknown>
  }
  readonly onFault: (error: unknown) => void
}

interface Kept {
  facts: TerminalFacts
  readonly pid: number
  readonly viewers: Map<string, TerminalViewer>
  readonly ended: PromiseWithResolvers<void>
  isEnding: boolean
}

interface Keeper {
  readonly program: RunningProgram
  readonly stdin: Writable
  readonly opening: Map<string, PromiseWithResolvers<number>>
}

const EXTENSION = import.meta.url.endsWith('.ts') ? '.ts' : '.js'
const PROGRAM = fileURLToPath(new URL(`./keeper/keeper-process${EXTENSION}`, import.meta.url))
/** What a shell may take to end when it is hung up, and to be gone after that. In milliseconds. */
const HANG_UP_MS = 500
const GRACE_MS = 300

/** Makes the terminals of a server. Their keeper is started with the first one. */
export function createTerminals(deps: TerminalsDeps): Terminals {
  const { clock } = deps
  const kept = new Map<string, Kept>()
  const begun = new Set<string>()
  let keeper: Promise<Keeper> | null = null
  let isClosed = false

  function keeperNow(): Promise<Keeper> {
    keeper ??= startKeeper().catch((cause: unknown) => {
      keeper = null
      if (!(cause instanceof LaunchError)) throw cause
      throw new TerminalError('not-started', `The process that keeps terminals was not started: ${cause.message}`, {
        cause,
      })
    })
    return keeper
  }

  async function startKeeper(): Promise<Keeper> {
    const { environment, register } = deps
    const program = await launchProgram({
      program: process.execPath,
      args: [PROGRAM],
      folder: '/',
      environment: childEnvironment(environment, deps.marking('keeper').variables),
      hasInput: true,
      register,
    })
    const { stdin } = program
    if (stdin === null) throw new Error('The keeper has no input')
    const opening: Keeper['opening'] = new Map()
    stdin.on('error', () => {})
    program.stdout.on(
      'data',
      readLines((line) => onReport(opening, JSON.parse(line))),
    )
    program.stdout.on('error', () => {})
    program.stderr.on('error', () => {})
    program.stderr.on('data', (bytes: Buffer) => deps.onFault(new Error(`The keeper of terminals says: ${bytes}`)))
    void program.exited.then(() => onKeeperGone(program.pid, opening))
    return { program, stdin, opening }
  }

  /** Their screens are gone with it; what ran in them is ended. */
  function onKeeperGone(pid: number, opening: Keeper['opening']): void {
    keeper = null
    deps.register.forget(pid)
    for (const one of opening.values())
      one.reject(new TerminalError('not-started', 'The process that keeps terminals has ended'))
    for (const one of kept.values()) void over(one, null)
  }

  function onReport(opening: Keeper['opening'], said: KeeperReport): void {
    const { terminalId } = said
    switch (said.type) {
      case 'opened':
        // Noted before anything else happens: whoever kills us now leaves nothing that nobody finds.
        deps.register.note(said.pid)
        opening.get(terminalId)?.resolve(said.pid)
        return
      case 'not-opened':
        opening.get(terminalId)?.reject(new TerminalError('not-started', `Not opened: ${said.message}`))
        return
      case 'screen':
        kept.get(terminalId)?.viewers.get(said.viewerId)?.onScreen(said)
        return
      case 'output':
        kept.get(terminalId)?.viewers.get(said.viewerId)?.onOutput(said)
        return
      case 'resized': {
        const one = kept.get(terminalId)
        if (!one) return
        const { columns, rows } = said
        one.facts = { ...one.facts, columns, rows }
        for (const viewer of one.viewers.values()) viewer.onResize(said)
        return
      }
      case 'exited': {
        const one = kept.get(terminalId)
        if (one) void over(one, said.signal === 0 ? said.exitCode : null)
      }
    }
  }

  /** The shell is over: what it left behind goes with it. */
  async function over({ facts, pid, viewers, ended }: Kept, exitCode: number | null): Promise<void> {
    if (!kept.delete(facts.terminalId)) return
    for (const viewer of viewers.values()) viewer.onEnd({ exitCode })
    try {
      await endGroup(pid, { clock, graceMs: GRACE_MS })
      await deps.marking(facts.terminalId).endAll()
    } catch (error) {
      deps.onFault(error)
    } finally {
      deps.register.forget(pid)
      ended.resolve()
    }
  }

  async function tell(order: KeeperOrder): Promise<void> {
    const { stdin } = await keeperNow()
    stdin.write(`${JSON.stringify(order)}\n`)
  }

  /** One that is not there has ended, and its viewers were told. */
  function tellKept(order: KeeperOrder): void {
    if (kept.has(order.terminalId)) tell(order).catch(deps.onFault)
  }

  function checkRoom({ conversationId }: TerminalWish): void {
    const all = [...kept.values()]
    const here = all.filter(({ facts }) => facts.conversationId === conversationId).length
    if (here >= TERMINAL_LIMITS.perConversation)
      throw new TerminalError(
        'too-many',
        `A conversation has at most ${TERMINAL_LIMITS.perConversation} terminals; close one`,
      )
    if (all.length + begun.size >= TERMINAL_LIMITS.perServer)
      throw new TerminalError('too-many', `A server has at most ${TERMINAL_LIMITS.perServer} terminals; close one`)
  }

  async function end(one: Kept): Promise<void> {
    if (!one.isEnding) {
      one.isEnding = true
      tellKept({ type: 'hang-up', terminalId: one.facts.terminalId })
      // A shell that does not hear it is ended all the same.
      const cancel = clock.after(HANG_UP_MS, () => void over(one, null))
      void one.ended.promise.then(cancel)
    }
    await one.ended.promise
  }

  return {
    list: () => [...kept.values()].map(({ facts }) => facts),
    find: (terminalId) => kept.get(terminalId)?.facts ?? null,
    async open(wish) {
      const { terminalId, folder, columns, rows } = wish
      if (isClosed) throw new TerminalError('not-started', 'The server is shutting down')
      const known = kept.get(terminalId)
      if (known) return known.facts
      if (begun.has(terminalId)) throw new TerminalError('not-started', 'This terminal is being opened')
      checkRoom(wish)
      begun.add(terminalId)
      try {
        const { program, args } = shellOf(deps.environment)
        const { variables } = deps.marking(terminalId)
        const shown = { TERM: 'xterm-256color', COLORTERM: 'truecolor', TERM_PROGRAM: 'holdfast' }
        const environment = childEnvironment(deps.environment, { ...variables, ...shown, SHELL: program })
        const { opening } = await keeperNow()
        const opened = Promise.withResolvers<number>()
        opening.set(terminalId, opened)
        await tell({ type: 'open', terminalId, program, args, folder, environment, columns, rows })
        const pid = await opened.promise.finally(() => opening.delete(terminalId))
        const facts = { ...wish, startedAt: clock.now(), shell: program.split('/').at(-1) ?? program }
        const one: Kept = { facts, pid, viewers: new Map(), ended: Promise.withResolvers<void>(), isEnding: false }
        kept.set(terminalId, one)
        if (isClosed) await end(one)
        return facts
      } finally {
        begun.delete(terminalId)
      }
    },
    attach(terminalId, viewer) {
      const viewerId = randomUUID()
      kept.get(terminalId)?.viewers.set(viewerId, viewer)
      tellKept({ type: 'attach', terminalId, viewerId })
      return {
        read: (through) => tellKept({ type: 'read', terminalId, viewerId, through }),
        detach() {
          kept.get(terminalId)?.viewers.delete(viewerId)
          tellKept({ type: 'detach', terminalId, viewerId })
        },
      }
    },
    input: (terminalId, text) => tellKept({ type: 'input', terminalId, text }),
    resize: (terminalId, { columns, rows }) => tellKept({ type: 'resize', terminalId, columns, rows }),
    async end(terminalId) {
      const one = kept.get(terminalId)
      if (one) await end(one)
    },
    async close() {
      isClosed = true
      await Promise.all([...kept.values()].map(end))
      const left = await keeper?.catch(() => null)
      left?.stdin.end()
      await left?.program.exited
    },
  }
}

/** The shell of whoever runs the server; a service has none, and gets the one that is there. */
function shellOf(environment: TerminalsDeps['environment']): { readonly program: string; readonly args: string[] } {
  const named = environment['SHELL']
  const program = named?.startsWith('/') ? named : existsSync(BASH) ? BASH : '/bin/sh'
  return { program, args: process.platform === 'darwin' ? ['-l'] : [] }
}

const BASH = '/bin/bash'
