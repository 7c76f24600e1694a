import { realpath } from 'node:fs/promises'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { originalPositionFor, TraceMap } from '@jridgewell/trace-mapping'
import { readStack } from './read-stack.ts'

/** A place in a file of the workspace; line from 1, column from 0. */
export interface SourcePlace {
  /** From the root of the workspace, with `/`. */
  readonly file: string
  readonly line: number
  readonly column: number
}

/** Where a preview gets its modules, and where they lie. */
export interface SourceFinderDeps {
  /** The folder that the preview is of: no place outside of it is told. */
  readonly root: string
  /** The folder in it that addresses of its pages mean; empty for all of it. */
  readonly folder: string
  /**
   * Reads the text of a path of the preview, such as `/src/app.tsx`, null where there is none; it must bound what it reads.
   * Null itself where what pages get are the files as they are.
   */
  readonly read: ((path: string, signal: AbortSignal) => Promise<string | null>) | null
}

/** Finds places of a previewed page in the workspace. */
export interface SourceFinder {
  /** The first place of a stack inside the workspace; null where none is. */
  ofStack(stack: string, signal: AbortSignal): Promise<SourcePlace | null>
  /** A file that the framework names, whole or from the root. */
  ofFile(named: { readonly file: string; readonly line: number; readonly column: number }): Promise<SourcePlace | null>
}

const MOST_KEPT = 100

/** Makes one for a preview. What it reads it keeps until the module has another address. */
export function createSourceFinder({ root, folder, read }: SourceFinderDeps): SourceFinder {
  const maps = new Map<string, TraceMap | null>()

  async function mapOf(address: string, signal: AbortSignal): Promise<TraceMap | null> {
    const known = maps.get(address)
    if (known !== undefined) return known
    const map = read === null ? null : await readMap(read, address, signal)
    // The text of a module without a mark of its version may be another the next time.
    if (maps.size >= MOST_KEPT) maps.clear()
    if (/[?&][tv]=/u.test(address)) maps.set(address, map)
    return map
  }

  async function readMap(
    read: NonNullable<SourceFinderDeps['read']>,
    address: string,
    signal: AbortSignal,
  ): Promise<TraceMap | null> {
    const text = await read(pathOf(address), signal)
    const named = text === null ? null : mapNamedIn(text)
    if (named === null) return null
    const json = named.startsWith('data:')
      ? inlineJson(named)
      : await read(pathOf(new URL(named, address).href), signal)
    try {
      return json === null ? null : new TraceMap(json, address)
    } catch {
      return null
    }
  }

  /** A path below the root that is there, as it really is; null for all else, dependencies included. */
  async function inside(path: string): Promise<string | null> {
    const [whole, file] = await Promise.all([real(root), real(path)])
    if (whole === null || file === null) return null
    const below = relative(whole, file)
    const isBelow = below !== '' && !below.startsWith('..') && !isAbsolute(below)
    return isBelow && !below.split(sep).includes('node_modules') ? below.split(sep).join('/') : null
  }

  /** A file as it is named: by its whole path, from where the pages are, or from the place. */
  async function named(path: string): Promise<string | null> {
    const relative = path.replace(/^\/+/u, '')
    const tries = [...(isAbsolute(path) ? [resolve(path)] : []), join(root, folder, relative), join(root, relative)]
    for (const one of tries) {
      const found = await inside(one)
      if (found !== null) return found
    }
    return null
  }

  async function fileOf(address: string): Promise<string | null> {
    const path = diskPath(address)
    if (path === null || path.includes('/node_modules/')) return null
    // A server may have added lines to its pages.
    return named(read === null && path.endsWith('/') ? `${path}index.html` : path)
  }

  return {
    async ofStack(stack, signal) {
      for (const { address, line, column } of readStack(stack)) {
        if (!/^(https?|webpack|webpack-internal|file):/u.test(address)) continue
        if (/\/node_modules\/|\/@vite\/|\/@react-refresh|\/\.vite\//u.test(address)) continue
        const map = /^https?:/u.test(address) ? await mapOf(address, signal) : null
        const at = map && originalPositionFor(map, { line, column: Math.max(0, column - 1) })
        const file = await fileOf(at?.source ?? address)
        if (file === null) continue
        if (map && at?.line === null) continue
        return { file, line: at?.line ?? line, column: at?.column ?? Math.max(0, column - 1) }
      }
      return null
    },
    async ofFile({ file, line, column }) {
      const found = await named(file)
      return found === null ? null : { file: found, line, column }
    },
  }
}

async function real(path: string): Promise<string | null> {
  try {
    return await realpath(path)
  } catch (error) {
    if (error instanceof Error && 'code' in error) return null
    throw error
  }
}

/** An address of the page as the path that is asked for. */
function pathOf(address: string): string {
  const { pathname, search } = new URL(address)
  return pathname + search
}

/** The path that an address of a module means: `/@fs/…` is one of the disk. */
function diskPath(address: string): string | null {
  try {
    if (/^https?:/u.test(address)) {
      const path = decodeURIComponent(new URL(address).pathname)
      return path.startsWith('/@fs/') ? path.slice('/@fs'.length) : path
    }
    if (address.startsWith('file:')) return decodeURIComponent(new URL(address).pathname)
    return address.replace(/^webpack(-internal)?:\/\/[^/]*\/(\([^)]*\)\/)?(\.\/)?/u, '').split('?', 1)[0] ?? ''
  } catch {
    return null
  }
}

function mapNamedIn(text: string): string | null {
  const mark = 'sourceMappingURL='
  const at = text.lastIndexOf(mark)
  if (at < 0) return null
  const end = text.indexOf('\n', at)
  return text.slice(at + mark.length, end < 0 ? undefined : end).trim()
}

function inlineJson(address: string): string | null {
  const comma = address.indexOf(',')
  if (comma < 0) return null
  const body = address.slice(comma + 1)
  return address.slice(0, comma).endsWith(';base64')
    ? Buffer.from(body, 'base64').toString('utf8')
    : decodeURIComponent(body)
}
