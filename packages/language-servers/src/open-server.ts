import { pathToFileURL } from 'node:url'
import type { Clock } from '@holdfast/conversation'
import * as z from 'zod'
import type { Connection } from './connection.ts'
import { endingOf, type Language } from './languages.ts'
import { LANGUAGE_SERVER_LIMITS } from './limits.ts'
import type { Diagnostic } from './new-diagnostics.ts'
import { ServerError } from './server-error.ts'

/** A language server that answers. Paths are from the root of its folder. */
export interface OpenServer {
  /** From now on a file has this text for it, whatever stands on the disk. */
  show(path: string, text: string): void
  /** From now on a file is what stands on the disk. */
  close(path: string): void
  /** Files on the disk are other than it knows. */
  tellChanged(paths: ReadonlyMap<string, 'created' | 'changed' | 'deleted'>): void
  /** The errors of a file, in all that was shown and told until now. @throws {ServerError} */
  diagnosticsOf(path: string): Promise<readonly Diagnostic[]>
}

/** What a server is opened with. */
export interface OpenOptions {
  readonly rootPath: string
  readonly language: Language
  readonly options: Readonly<Record<string, boolean>>
  readonly clock: Clock
}

const Initialized = z.object({ capabilities: z.object({ diagnosticProvider: z.unknown().optional() }) })
const Report = z.object({
  kind: z.string(),
  items: z
    .array(
      z.object({
        range: z.object({ start: z.object({ line: z.int(), character: z.int() }) }),
        severity: z.int().exactOptional(),
        code: z.union([z.string(), z.number()]).exactOptional(),
        message: z.string(),
      }),
    )
    .exactOptional(),
})
const DIAGNOSTICS = 'textDocument/diagnostic'
const ERROR = 1
const CHANGE_TYPES = { created: 1, changed: 2, deleted: 3 } as const
/** The server dropped the question for something newer: it is put again. */
const ASK_AGAIN: ReadonlySet<unknown> = new Set([-32_801, -32_802])
const MOST_ROUNDS = 5

/** Introduces itself to a server that has just been started. @throws {ServerError} when it is none that answers questions. */
export async function openServer(
  connection: Connection,
  { rootPath, language, options, clock }: OpenOptions,
): Promise<OpenServer> {
  const uriOf = (path: string): string => pathToFileURL(path === '' ? rootPath : `${rootPath}/${path}`).href
  const answer = Initialized.safeParse(
    await connection.ask('initialize', {
      processId: null,
      clientInfo: { name: 'holdfast' },
      rootUri: uriOf(''),
      workspaceFolders: [{ uri: uriOf(''), name: 'folder' }],
      initializationOptions: options,
      capabilities: CAPABILITIES,
    }),
  )
  if (!answer.success) throw noQuestions()
  connection.tell('initialized', {})
  // Some say it now, and some when they have begun, of those who can be told then.
  if (!answer.data.capabilities.diagnosticProvider) await offeredSoon(connection, clock)

  /** Versions of what is shown. */
  const shown = new Map<string, number>()
  let lastVersion = 0

  async function ask(path: string): Promise<unknown> {
    for (let round = 1; ; round += 1) {
      try {
        return await connection.ask(DIAGNOSTICS, { textDocument: { uri: uriOf(path) } })
      } catch (error) {
        if (!(error instanceof ServerError && ASK_AGAIN.has(error.code)) || round === MOST_ROUNDS) throw error
      }
    }
  }

  return {
    show(path, text) {
      lastVersion += 1
      const uri = uriOf(path)
      const version = lastVersion
      if (shown.has(path)) {
        connection.tell('textDocument/didChange', { textDocument: { uri, version }, contentChanges: [{ text }] })
      } else {
        const languageId = language.ids[endingOf(path)] ?? ''
        connection.tell('textDocument/didOpen', { textDocument: { uri, languageId, version, text } })
      }
      shown.set(path, version)
    },
    close(path) {
      if (!shown.delete(path)) return
      connection.tell('textDocument/didClose', { textDocument: { uri: uriOf(path) } })
    },
    tellChanged(paths) {
      if (paths.size === 0) return
      const changes = [...paths].map(([path, kind]) => ({ uri: uriOf(path), type: CHANGE_TYPES[kind] }))
      connection.tell('workspace/didChangeWatchedFiles', { changes })
    },
    async diagnosticsOf(path) {
      const report = Report.safeParse(await ask(path))
      if (!report.success)
        throw new ServerError({ code: 0, message: 'It answered in a form that is not that of reports' })
      return (report.data.items ?? [])
        .filter(({ severity }) => (severity ?? ERROR) === ERROR)
        .map(({ range, message, code }) => ({
          line: range.start.line,
          column: range.start.character,
          message,
          code: String(code ?? ''),
        }))
    },
  }
}

/** @throws {ServerError} when it does not say that it answers questions. */
async function offeredSoon(connection: Connection, clock: Clock): Promise<void> {
  const late = Promise.withResolvers<never>()
  const cancel = clock.after(LANGUAGE_SERVER_LIMITS.offerMs, () => late.reject(noQuestions()))
  try {
    await Promise.race([connection.offered(DIAGNOSTICS), late.promise])
  } finally {
    cancel()
  }
}

function noQuestions(): ServerError {
  return new ServerError({ code: 0, message: 'It does not answer questions for diagnostics' })
}

/** What an editor can do: as little as lets servers answer for the state that they were told. */
const CAPABILITIES = {
  general: { positionEncodings: ['utf-16'] },
  workspace: {
    workspaceFolders: true,
    configuration: true,
    didChangeWatchedFiles: { dynamicRegistration: true, relativePatternSupport: true },
    diagnostics: { refreshSupport: true },
  },
  textDocument: {
    synchronization: { dynamicRegistration: false },
    diagnostic: { dynamicRegistration: true, relatedDocumentSupport: false },
  },
} as const
