import { API_PATH, type BodyOf, type FoundLogsRow, type ImportAnswer, ownRoutes } from '@holdfast/protocol'
import type { HttpApi } from '../link/http-api.ts'

/** How a conversation may be written as a file. */
export type ExportFormat = 'md' | 'html' | 'json'

/** What an export holds beside what was said; JSON always holds everything but what is masked, and files on wish. */
export interface ExportChoices {
  readonly tools: boolean
  readonly thinking: boolean
  readonly setAside: boolean
  readonly usage: boolean
  readonly attachments: boolean
  /** Whether what looks like a key, an e-mail address or a home folder is masked; files are left out then. */
  readonly redact: boolean
}

/** What would be masked in a conversation. */
export type SecretsAnswer = BodyOf<typeof ownRoutes.countSecrets, 200>

/** What of a conversation can still be read. */
export type DamageAnswer = BodyOf<typeof ownRoutes.readDamage, 200>

/** Who is told how far an import is. */
export interface ImportFollower {
  /** Cancels the import when it fires. */
  readonly signal: AbortSignal
  readonly onProgress: (answer: ImportAnswer) => void
}

/** What brings other programs' logs in, and conversations out. */
export interface ArchiveActs {
  /** Where a conversation is as a file, for `ticketed`; with null, as the server writes it where nothing is chosen. */
  exportAddress(conversationId: string, format: ExportFormat, choices: ExportChoices | null): string
  /** Counts what would be masked. @throws {RequestFailedError} */
  countSecrets(conversationId: string): Promise<SecretsAnswer>
  /** Reads a whole conversation past any damage, and says what of it is there. [LOG7] @throws {RequestFailedError} */
  readDamage(conversationId: string): Promise<DamageAnswer>
  /** Sends a file and follows its import to the end. @throws {RequestFailedError} */
  importFile(file: Blob & { readonly name: string }, follower: ImportFollower): Promise<ImportAnswer>
  /** Logs of other programs on the disk of the server, by names and sizes. @throws {RequestFailedError} */
  listFoundLogs(): Promise<readonly FoundLogsRow[]>
  /** Has the server read and import them, and follows that to the end. @throws {RequestFailedError} */
  importFoundLogs(foundId: string, follower: ImportFollower): Promise<ImportAnswer>
  /** Follows an import that runs already. @throws {RequestFailedError} */
  followImport(running: ImportAnswer, follower: ImportFollower): Promise<ImportAnswer>
  /** The imports of this user, newest first. @throws {RequestFailedError} */
  listImports(): Promise<readonly ImportAnswer[]>
}

/** How long a question about an import may be held, in milliseconds. */
const WAIT_MS = 400
/** The server takes no longer names. */
const LONGEST_NAME = 500

/** Makes them. */
export function createArchiveActs({ ask }: { readonly ask: HttpApi }): ArchiveActs {
  async function followImport(running: ImportAnswer, { signal, onProgress }: ImportFollower): Promise<ImportAnswer> {
    const { readImport, cancelImport } = ownRoutes
    const params = { importId: running.id }
    let answer = running
    while (answer.state === 'running') {
      onProgress(answer)
      answer = signal.aborted
        ? await ask(cancelImport, cancelImport.answers[200], { params })
        : await ask(readImport, readImport.answers[200], { params, query: { waitMs: String(WAIT_MS) } })
    }
    return answer
  }

  return {
    exportAddress(conversationId, format, choices) {
      const chosen = Object.entries(choices ?? {}).map(([name, isChosen]) => `&${name}=${isChosen}`)
      return `${API_PATH}/conversations/${encodeURIComponent(conversationId)}/export?format=${format}${chosen.join('')}`
    },
    countSecrets(id) {
      const { countSecrets: route } = ownRoutes
      return ask(route, route.answers[200], { params: { id } })
    },
    readDamage(id) {
      const { readDamage: route } = ownRoutes
      return ask(route, route.answers[200], { params: { id } })
    },
    followImport,
    async importFile(file, follower) {
      const { startImport: route } = ownRoutes
      const query = { name: file.name.slice(-LONGEST_NAME) }
      const begun = await ask(route, route.answers[202], { query, file, signal: follower.signal })
      return followImport(begun, follower)
    },
    async listFoundLogs() {
      const { listFoundLogs: route } = ownRoutes
      return (await ask(route, route.answers[200], {})).found
    },
    async importFoundLogs(foundId, follower) {
      const { importFoundLogs: route } = ownRoutes
      return followImport(await ask(route, route.answers[202], { params: { foundId } }), follower)
    },
    async listImports() {
      const { listImports: route } = ownRoutes
      return (await ask(route, route.answers[200], {})).imports
    },
  }
}
