import { readlinkSync } from 'node:fs'
import { dirname, isAbsolute, join, relative } from 'node:path'

/** Links on the way of one path that are followed: as many as Linux follows. */
const MOST_LINKS = 40

/**
 * A path of an agent as people and rules read it: from the folder where it leads into it, else whole. Links are followed, also to what
 * is not there yet: by its letters alone a path inside may lead anywhere. [AGENT76]
 */
export function toldPath(folder: string | null, path: string): string {
  if (folder === null) return path
  const real = realPath(isAbsolute(path) ? path : `${folder}/${path}`)
  const told = relative(realPath(folder), real)
  if (told === '') return path
  return told === '..' || told.startsWith('../') ? real : told
}

/** Where a path leads, name by name, as the system walks it. */
function realPath(path: string): string {
  const left = path.split('/')
  let real = '/'
  let links = 0
  for (let name = left.shift(); name !== undefined; name = left.shift()) {
    if (name === '' || name === '.') continue
    const at = name === '..' ? dirname(real) : join(real, name)
    const target = name === '..' ? null : linkAt(at)
    if (target === null || links === MOST_LINKS) {
      real = at
      continue
    }
    links++
    if (isAbsolute(target)) real = '/'
    left.unshift(...target.split('/'))
  }
  return real
}

/** What a link says; null for what is none, is not there or cannot be looked at. */
function linkAt(path: string): string | null {
  try {
    return readlinkSync(path)
  } catch (error) {
    if (error instanceof Error && 'code' in error) return null
    throw error
  }
}
