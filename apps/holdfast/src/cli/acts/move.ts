import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { systemClock } from '@holdfast/engine/system'
import type { MovedRows, StorePlace } from '@holdfast/store/move'
import { CliError } from '../../cli-error.ts'
import { readConfig } from '../../config.ts'
import { openDataFolder, requireFolderName } from '../../data-folder.ts'
import { explained, untilInterrupt } from '../reach/explained.ts'

/** What `holdfast move` was asked for: each a data folder, or the address of a database. */
export interface MoveOptions {
  readonly from: string
  readonly to: string
  readonly json: boolean
}

/** Brings everything from one store into another that is empty. @returns the exit code. [CLI14] */
export async function move({ from, to, json }: MoveOptions): Promise<number> {
  const [source, target] = [placeOf(from), placeOf(to)]
  if (source.name === target.name)
    throw new CliError('E_USAGE', 2, `--from and --to are both ${source.name}. Name two places.`)
  const { bucket } = readConfig({ ...ASKED, ...(source.dataDir === null ? {} : { dataDir: source.dataDir }) })
  if (target.dataDir !== null) await openDataFolder(target.dataDir)
  const { moveStore } = await import('@holdfast/store/move')
  const moved = await explained(() =>
    moveStore({
      from: source.place,
      to: target.place,
      described: source.name,
      now: systemClock.now(),
      signal: untilInterrupt(),
      ...(bucket === null ? {} : { bucket }),
    }),
  )
  process.stderr.write(wordsOf(source, target, moved))
  if (json) process.stdout.write(`${JSON.stringify(moved)}\n`)
  return 0
}

const ASKED = { port: '0', host: '127.0.0.1', open: false, json: false, detect: false } as const

interface NamedPlace {
  readonly place: StorePlace
  /** For people: without a password. */
  readonly name: string
  /** Null for a database. */
  readonly dataDir: string | null
}

function placeOf(text: string): NamedPlace {
  if (/^postgres(ql)?:\/\/./.test(text)) {
    const url = URL.parse(text)
    const name = `the database ${url ? `${url.pathname.slice(1)} at ${url.host}` : 'of that address'}`
    return { place: { type: 'database', connectionString: text }, name, dataDir: null }
  }
  const dataDir = resolve(text)
  requireFolderName(dataDir)
  return { place: { type: 'folder', dataDir: join(dataDir, 'store') }, name: dataDir, dataDir }
}

/** Secrets in the store are sealed with a key that stands beside it, and are not read without it. */
function wordsOf(source: NamedPlace, target: NamedPlace, moved: MovedRows): string {
  const { entries, conversations, blobs, records } = moved
  const counts = `${entries} entries of ${conversations} conversations, ${blobs} files and ${records} records`
  const hasKey = source.dataDir !== null && existsSync(join(source.dataDir, 'secret-key'))
  const place = target.dataDir ?? 'the data folder that its servers are started with'
  const key = hasKey
    ? `Copy secret-key of ${source.dataDir} into ${place} too: it opens the stored keys of providers.\n`
    : ''
  const start =
    target.dataDir === null
      ? 'Start with that address in HOLDFAST_DATABASE_URL.\n'
      : `Start with --data-dir ${target.dataDir}, and without HOLDFAST_DATABASE_URL.\n`
  return `Moved ${counts} to ${target.name}, and compared them. ${source.name} is as it was.\n${key}${start}`
}
