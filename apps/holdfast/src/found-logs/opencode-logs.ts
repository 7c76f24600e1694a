import { basename } from 'node:path'

/** What of the folder of opencode is a log: its databases, one for each of its channels, and the sessions of versions before them. */
export const OPENCODE_LOG = /^(?:opencode(?:-[\w.-]+)?\.db|storage\/session\/[^/]+\/ses_[^/]+\.json)$/
/** Folders of it that are looked into: beside them lie copies of whole repositories. */
export const OPENCODE_FOLDER = /^storage(?:\/session(?:\/[^/]+)?)?$/

const DATABASE = /^opencode(?:-[\w.-]+)?\.db$/
const STORED = /[/\\]storage[/\\]session[/\\][^/\\]+[/\\]ses_[^/\\]+\.json$/

/**
 * The sessions of opencode that lie in a file, as `opencode export` writes them; null for any other file, which is read
 * as it is. [CLI50]
 */
export function opencodeContent(path: string): (() => AsyncGenerator<Uint8Array>) | null {
  if (DATABASE.test(basename(path)))
    return async function* () {
      const { sessionsInDatabase } = await import('./opencode-database.ts')
      yield* sessionsInDatabase(path)
    }
  if (STORED.test(path))
    return async function* () {
      const { sessionInFiles } = await import('./opencode-files.ts')
      yield* sessionInFiles(path)
    }
  return null
}
