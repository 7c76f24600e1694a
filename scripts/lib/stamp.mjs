import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

import { ROOT } from './places.mjs'

const NOT_SOURCES = new Set(['node_modules', 'dist', 'dist-types', '.compile-cache', 'tests'])

/** Says whether the stamp holds this hash; a missing stamp holds none. */
export function stampHolds(path, hash) {
  return existsSync(path) && readFileSync(path, 'utf8').trim() === hash
}

/** Writes a stamp so that it is there whole or not at all. */
export function writeStamp(path, hash) {
  mkdirSync(dirname(path), { recursive: true })
  const temporary = `${path}.${process.pid}`
  writeFileSync(temporary, `${hash}\n`)
  renameSync(temporary, path)
}

/** Removes a stamp, so that an interrupted piece of work is seen as not done. */
export function clearStamp(path) {
  rmSync(path, { force: true })
}

/** Hashes the names and bytes of files and of all sources under folders; what does not exist counts as absent. */
export function hashOf(paths, ...words) {
  const hash = createHash('sha256')
  for (const word of words) hash.update(`${word}\0`)
  for (const path of paths.flatMap((path) => sourcesUnder(join(ROOT, path)))) {
    hash.update(`${relative(ROOT, path)}\0`)
    hash.update(createHash('sha256').update(readFileSync(path)).digest())
  }
  return hash.digest('hex')
}

function sourcesUnder(path) {
  if (!existsSync(path)) return []
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path)
    .filter((name) => !NOT_SOURCES.has(name))
    .sort()
    .flatMap((name) => sourcesUnder(join(path, name)))
}
