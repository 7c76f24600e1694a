import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { CliError } from '../../cli-error.ts'

/** EX_NOPERM of sysexits.h. */
const NO_RIGHT = 77

const ServerFile = z.object({
  url: z.url(),
  /** The address that people open, which may lead over a proxy and under a path. */
  opened: z.url(),
  pid: z.int().positive(),
  /** Names this run of the server, which it can prove. [SEC21] */
  run: z.string().min(1),
})

/** Where the server of a data folder listens, as it wrote down when it was ready. */
export type ServerFile = z.infer<typeof ServerFile>

/** Writes down where the server of a data folder listens, for the other commands. */
export async function writeServerFile(dataDir: string, server: ServerFile): Promise<void> {
  await writeFile(pathIn(dataDir), `${JSON.stringify(server)}\n`, { mode: 0o600 })
}

/**
 * Where a server said that it listens; it may have been killed since. Null where none said so.
 *
 * @throws {CliError} where it is another user's.
 */
export async function readServerFile(dataDir: string): Promise<ServerFile | null> {
  try {
    return ServerFile.parse(JSON.parse(await readFile(pathIn(dataDir), 'utf8')))
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null
    if (code === 'ENOENT' || error instanceof SyntaxError || error instanceof z.ZodError) return null
    if (code === 'EACCES' || code === 'EPERM')
      throw new CliError(
        'E_DATA_FOLDER',
        NO_RIGHT,
        `You may not read the data folder ${dataDir}: it belongs to another user of this computer. Run this as that user, or choose another with --data-dir.`,
        { cause: error },
      )
    throw error
  }
}

/** Takes the note back when the server ends. */
export async function removeServerFile(dataDir: string): Promise<void> {
  await rm(pathIn(dataDir), { force: true })
}

function pathIn(dataDir: string): string {
  return join(dataDir, 'server.json')
}
