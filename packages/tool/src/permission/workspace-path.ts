import { indexOfUnclear } from '../unclear-characters.ts'
import { globMatches } from './glob.ts'

/**
 * Where a path argument leads, by its letters alone. Links and races are the tool's to check; here a path
 * that could mean two things is `unclear`, which no allow rule matches. [PERM2, WS1]
 */
export type PathPlace =
  | { readonly type: 'inside'; readonly path: string }
  | { readonly type: 'outside'; readonly path: string }
  | { readonly type: 'unclear' }

/** Places a path against the root of the workspace, an absolute path. `path` inside is relative to the root. */
export function placePath(path: string, workspaceRoot: string | null): PathPlace {
  const isUnclear =
    path === '' ||
    indexOfUnclear(path) !== -1 ||
    /[\t\n\\]|%[0-9a-fA-F]{2}/.test(path) ||
    path.startsWith('~') ||
    /^[A-Za-z]:/.test(path)
  if (isUnclear || workspaceRoot === null) return { type: 'unclear' }
  const root = segmentsOf(workspaceRoot)
  const whole = segmentsOf(path.startsWith('/') ? path : `${workspaceRoot}/${path}`)
  const isInside = root.every((segment, index) => whole[index] === segment)
  return isInside
    ? { type: 'inside', path: whole.slice(root.length).join('/') }
    : { type: 'outside', path: `/${whole.join('/')}` }
}

/** Segments in NFC without `.` and empty ones; `..` takes back the one before and never leaves the root of the disk. */
function segmentsOf(path: string): string[] {
  const segments: string[] = []
  for (const segment of path.normalize('NFC').split('/')) {
    if (segment === '..') segments.pop()
    else if (segment !== '' && segment !== '.') segments.push(segment)
  }
  return segments
}

/** Whether a path pattern matches: `*` within a segment, `**` for any number of segments. */
export function pathMatches(pattern: string, place: PathPlace, letters: 'exact' | 'any-case'): boolean {
  if (place.type === 'unclear') return false
  const isAbsolute = pattern.startsWith('/')
  if (isAbsolute !== (place.type === 'outside')) return false
  const fold = (text: string) => (letters === 'exact' ? text : text.toLowerCase())
  const wanted = segmentsOf(fold(pattern))
  return segmentsMatch(wanted, segmentsOf(fold(place.path)))
}

function segmentsMatch(wanted: readonly string[], segments: readonly string[]): boolean {
  // Row by row: reachable[j] says that the pattern so far matches the first j segments.
  let reachable: boolean[] = [true, ...segments.map(() => false)]
  for (const part of wanted) {
    const next: boolean[] = []
    for (let index = 0; index <= segments.length; index++) {
      const before =
        index > 0 &&
        (part === '**' ? next[index - 1] : reachable[index - 1] && globMatches(part, segments[index - 1] ?? ''))
      next.push(before === true || (part === '**' && reachable[index] === true))
    }
    reachable = next
  }
  return reachable.at(-1) === true
}
