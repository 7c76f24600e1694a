import type { DiskLook } from './disk-look.ts'
import { type Diagnostic, newDiagnostics, type Version } from './new-diagnostics.ts'
import type { OpenServer } from './open-server.ts'

/** A file that a change made, changed or removed, with its text before and after; null where there was none. */
export interface ChangedFile {
  /** From the root of the folder. */
  readonly path: string
  readonly before: string | null
  readonly after: string | null
}

/** The errors of a file that a change brought; at least one. */
export interface NewErrors {
  readonly path: string
  readonly diagnostics: readonly Diagnostic[]
}

/** What is compared, and with what. */
export interface Comparison {
  readonly server: OpenServer
  readonly disk: DiskLook
  readonly changes: readonly ChangedFile[]
  /** Files that the change may have broken: those changed before it. */
  readonly others: readonly string[]
  /** The text of a file as it is on the disk; null where there is none. */
  readonly readText: (path: string) => Promise<string | null>
}

/** Packages were installed or removed: what the server knows of them is old, and it has to begin anew. */
export class PackagesChanged extends Error {
  override readonly name = 'PackagesChanged'
}

/**
 * Asks for the files as they were before a change, then for what they are after it, in one go: both answers are for texts
 * that were shown with the question, so that none can be of another version. [WS31]
 *
 * @throws {ServerError} when the server does not answer. @throws {PackagesChanged}
 */
export async function compareVersions({
  server,
  disk,
  changes,
  others,
  readText,
}: Comparison): Promise<readonly NewErrors[]> {
  const { paths, arePackagesOther } = await disk.look()
  if (arePackagesOther) throw new PackagesChanged('Packages were installed or removed')
  const told = new Map(paths)
  // A folder may be too large to be looked through, or a file have the dates that it had.
  for (const { path, before, after } of changes)
    if (!told.has(path)) told.set(path, after === null ? 'deleted' : before === null ? 'created' : 'changed')
  server.tellChanged(told)

  const changed = new Set(changes.map(({ path }) => path))
  const unchanged = new Map<string, string>()
  for (const path of others) {
    const text = changed.has(path) ? null : await readText(path)
    if (text !== null) unchanged.set(path, text)
  }
  const shown = new Set<string>()
  const versionsOf = (texts: ReadonlyMap<string, string>): Promise<ReadonlyMap<string, Version>> => {
    for (const [path, text] of texts) {
      if (!(unchanged.has(path) && shown.has(path))) server.show(path, text)
      shown.add(path)
    }
    for (const path of [...shown]) {
      if (texts.has(path)) continue
      server.close(path)
      shown.delete(path)
    }
    return askAll(server, texts)
  }
  try {
    const before = await versionsOf(withTexts(unchanged, changes, 'before'))
    const now = await versionsOf(withTexts(unchanged, changes, 'after'))
    return [...now]
      .map(([path, version]) => ({ path, diagnostics: newDiagnostics(before.get(path) ?? null, version) }))
      .filter(({ diagnostics }) => diagnostics.length > 0)
  } finally {
    for (const path of shown) server.close(path)
  }
}

function withTexts(
  unchanged: ReadonlyMap<string, string>,
  changes: readonly ChangedFile[],
  which: 'before' | 'after',
): ReadonlyMap<string, string> {
  const texts = new Map<string, string>()
  for (const change of changes) {
    const text = change[which]
    if (text !== null) texts.set(change.path, text)
  }
  for (const [path, text] of unchanged) texts.set(path, text)
  return texts
}

async function askAll(server: OpenServer, texts: ReadonlyMap<string, string>): Promise<ReadonlyMap<string, Version>> {
  const asked = await Promise.all(
    [...texts].map(async ([path, text]) => [path, { text, diagnostics: await server.diagnosticsOf(path) }] as const),
  )
  return new Map(asked)
}
