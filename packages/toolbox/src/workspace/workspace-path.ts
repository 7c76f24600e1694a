import { FileRefusal } from './file-refusal.ts'

const LONGEST_PATH_CHARS = 4_096
const LONGEST_NAME_BYTES = 255
/** Each folder on the way is held open. */
const MOST_NAMES = 128

/**
 * Of which letters a path may be: models are held to `plain` ones, for a name with a line end in it may say something else
 * than what it is; a person names what a list shows, whatever the name is made of.
 */
export type Letters = 'plain' | 'any'

/**
 * The segments of a path as a tool was given it: relative to the workspace, or absolute below one of `roots`. `..`
 * stays in, for the walk to take back; what cannot be a name at all is refused, and so is what climbs out of the workspace
 * by its letters, wherever a link on the way would lead. [WS1, PERM12]
 *
 * @throws {FileRefusal}
 */
export function segmentsOfInput(path: string, roots: readonly string[], letters: Letters): readonly string[] {
  const refuse = (message: string) => new FileRefusal({ code: 'bad-name', path, message })
  if (path === '') throw refuse('The path is empty. Use "." for the workspace itself.')
  if (path.length > LONGEST_PATH_CHARS) throw refuse(`The path has ${path.length} characters; 4,096 are allowed.`)
  const isPlain = letters === 'any' ? !path.includes('\0') : !hasControlCharacter(path)
  if (!isPlain || !path.isWellFormed())
    throw refuse(
      'The path holds a control character or half a character. A file with such a name is reached by the shell alone: rename it there.',
    )
  if (letters === 'plain' && path.includes('\\')) throw refuse(`${path} holds a backslash. Use forward slashes.`)
  const segments = splitPath(path)
  if (segments.length > MOST_NAMES) throw refuse(`The path has ${segments.length} names; ${MOST_NAMES} are allowed.`)
  const long = segments.find((segment) => Buffer.byteLength(segment) > LONGEST_NAME_BYTES)
  if (long !== undefined) throw refuse(`A name in the path has more than 255 bytes: ${long.slice(0, 40)}…`)
  const below = path.startsWith('/') ? segmentsBelow(segments, roots) : segments
  if (below === null || climbsOut(below)) throw outside(path)
  return below
}

function climbsOut(segments: readonly string[]): boolean {
  let depth = 0
  return segments.some((segment) => {
    depth += segment === '..' ? -1 : 1
    return depth < 0
  })
}

/** What is left of absolute segments below one of the roots, or null. `/work-evil` is not below `/work`. */
export function segmentsBelow(segments: readonly string[], roots: readonly string[]): readonly string[] | null {
  for (const root of roots) {
    const wanted = splitPath(root)
    if (wanted.every((segment, index) => segments[index] === segment)) return segments.slice(wanted.length)
  }
  return null
}

/** Names between slashes, without empty ones and `.`. */
export function splitPath(path: string): readonly string[] {
  return path.split('/').filter((segment) => segment !== '' && segment !== '.')
}

/** The refusal of a path that leads out. */
export function outside(path: string): FileRefusal {
  const message = `${path} is outside the workspace. Only what lies in it can be used; paths are relative to it.`
  return new FileRefusal({ code: 'outside', path, message })
}

function hasControlCharacter(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return true
  }
  return false
}
