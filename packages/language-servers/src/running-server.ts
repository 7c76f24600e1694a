import type { Clock } from '@holdfast/conversation'
import type { CheckOrder } from './checked.ts'
import { createConnection, type ServerPipes } from './connection.ts'
import { createDiskLook, type DiskLook } from './disk-look.ts'
import type { FoundServer, Machine } from './find-server.ts'
import type { Language } from './languages.ts'
import { type OpenServer, openServer } from './open-server.ts'
import { ServerError } from './server-error.ts'

/** A program that a port has started. */
export interface StartedProgram extends ServerPipes {
  readonly stderr: NodeJS.ReadableStream
  /** Resolves when it has ended, with how. */
  readonly exited: Promise<string>
  /** Ends it with all that it started. */
  end(): Promise<void>
}

/**
 * Starts a program that may read a folder, and confines it: it may lie in that folder, and what it says may quote every
 * file that it can read.
 */
export type StartProgram = (order: {
  readonly words: readonly string[]
  readonly rootPath: string
  readonly readable: readonly string[]
}) => Promise<StartedProgram>

/** What language servers are run with. */
export interface LanguageServersDeps {
  readonly machine: () => Machine
  /** Rejects with any error where it cannot be started. */
  readonly start: StartProgram
  readonly clock: Clock
}

/** A server that was started. */
export interface RunningServer {
  readonly program: StartedProgram
  /** The file that is run. */
  readonly path: string
  readonly disk: DiskLook
  /** Rejects with a `ServerError` where it is no server that can be used. */
  readonly opened: Promise<OpenServer>
  isOpen: boolean
  /** Why we end it; null while it is to run. */
  ending: string | null
}

/** What is started, and who hears of its end. */
export interface ServerStart extends Pick<CheckOrder, 'rootPath' | 'readable'> {
  readonly language: Language
  readonly found: FoundServer
  /** It has ended by itself, and why. */
  readonly onCrash: (reason: string) => void
  /** It has ended, whoever ended it. */
  readonly onEnd: () => void
}

/** Starts a server and introduces itself to it. @throws {ServerError} when it cannot be started. */
export async function startServer(
  { start, clock }: Pick<LanguageServersDeps, 'start' | 'clock'>,
  order: ServerStart,
): Promise<RunningServer> {
  const { rootPath, readable, language, found } = order
  const { words, server } = found
  const disk = createDiskLook(rootPath, language)
  // Before it reads anything: what changes from here on is told.
  await disk.look()
  const program = await started(start, { words, rootPath, readable: [...readable, ...found.readable] })
  let lastLine = ''
  program.stderr.on('data', (bytes: Buffer) => {
    lastLine = bytes.toString('utf8').trim().split('\n').at(-1)?.slice(0, 200) ?? ''
  })
  const connection = createConnection(program, server.settings, (why) => {
    lastLine = why
    void program.end()
  })
  const opened = openServer(connection, { rootPath, language, options: server.options, clock })
  const path = words[1]?.startsWith('/') === true ? words[1] : (words[0] ?? '')
  const running: RunningServer = { program, path, disk, opened, isOpen: false, ending: null }
  void opened.then(
    () => {
      running.isOpen = true
    },
    // Whoever waits for it hears of it.
    () => {},
  )
  void program.exited.then(async (how) => {
    const why = running.ending ?? [how, lastLine].filter((part) => part !== '').join(': ')
    if (running.ending === null) order.onCrash(why)
    order.onEnd()
    connection.close(why)
    await program.end()
  })
  return running
}

/** A program that cannot be started is no bug of ours. */
async function started(start: StartProgram, order: Parameters<StartProgram>[0]): Promise<StartedProgram> {
  try {
    return await start(order)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    throw new ServerError({ code: 'ended', message: `it cannot be started: ${error.message}` })
  }
}
