import { once } from 'node:events'
import { createServer } from 'node:net'
import * as z from 'zod'
import { readServerFile } from '../cli/reach/server-file.ts'
import { CliError } from '../cli-error.ts'
import type { Config } from '../config.ts'

type Address = Pick<Config, 'host' | 'port'>

/** So long a server is waited for that may be a Holdfast. */
const ASKED_MS = 2_000
/** So many ports behind one that is taken are tried. */
const PORTS_TRIED = 40

const Health = z.object({ status: z.string(), version: z.string(), store: z.string() })

/**
 * Tells that the port is taken, and by whom, before anything is made or opened. [CLI45]
 *
 * @throws {CliError} `E_STORE_LOCKED` where it is the server of this data folder, `E_PORT_IN_USE` where it is another one.
 */
export async function refuseTakenPort({ host, port, dataDir }: Address & Pick<Config, 'dataDir'>): Promise<void> {
  if (port === 0 || (await isFree({ host, port }))) return
  const served = await servedAlready(dataDir)
  if (served) throw served
  const isHoldfast = await isHoldfastAt(`http://${host.includes(':') ? `[${host}]` : host}:${port}`)
  const owner = isHoldfast ? 'a Holdfast with another data folder' : 'another program'
  const other = await freePortAfter({ host, port })
  throw new CliError(
    'E_PORT_IN_USE',
    1,
    `Port ${port} of ${host} is in use by ${owner}. End that one, or choose another port: ${other === null ? '' : `--port ${other}, or `}--port 0 for any that is free.`,
  )
}

/** The words for a start on a data folder whose server runs: where it is; null where none answers. [CLI45] */
export async function servedAlready(dataDir: string): Promise<CliError | null> {
  const server = await readServerFile(dataDir)
  if (server === null || !(await isHoldfastAt(server.url))) return null
  return new CliError(
    'E_STORE_LOCKED',
    1,
    `Holdfast runs already with the data folder ${dataDir}: ${server.opened} (process ${server.pid}). Open that address, or start another with a folder of its own: --data-dir.`,
  )
}

/** The first port of which the next is free too, for previews have that one; null where none of the next ones is. */
async function freePortAfter({ host, port }: Address): Promise<number | null> {
  for (let other = port + 1; other < Math.min(65_535, port + PORTS_TRIED); other += 1)
    if ((await isFree({ host, port: other })) && (await isFree({ host, port: other + 1 }))) return other
  return null
}

/** Whether nothing listens there. What else is wrong with an address, listening on it tells. */
async function isFree(address: Address): Promise<boolean> {
  const server = createServer()
  try {
    server.listen({ ...address, exclusive: true })
    await once(server, 'listening')
    return true
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
  } finally {
    server.close()
  }
}

async function isHoldfastAt(url: string): Promise<boolean> {
  try {
    const answer = await fetch(new URL('/api/v1/health', url), { signal: AbortSignal.timeout(ASKED_MS) })
    return Health.safeParse(await answer.json()).success
  } catch {
    return false
  }
}
