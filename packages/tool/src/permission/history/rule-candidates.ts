import { type JudgedCommand, judgeShellLine } from '../../shell/judge-line.ts'
import { SHELL_LIMITS } from '../../shell/shell-cursor.ts'
import { FREE_ARGUMENTS } from '../../shell/shell-wrappers.ts'
import { exactPattern } from '../exact-pattern.ts'
import { EXACT_LIMIT_CHARS } from '../grants.ts'
import type { PermissionCase } from '../permission-facts.ts'
import { parseShellPattern } from '../shell-pattern.ts'
import { type Subject, subjectsOf } from '../subjects.ts'
import { placePath } from '../workspace-path.ts'

/** A rule for calls like one, without what it says about them. */
export interface RuleCandidate {
  readonly tool: string
  /** Absent for every call of the tool. */
  readonly pattern?: string
  /** How much it covers: of two that cover a call, the smaller covers less beside it. */
  readonly breadth: number
}

/** Breadths: one call's own words; commands that begin alike; folders; hosts; whole tools. */
const BREADTH = { own: 0, exact: 1, words: 1_000, folder: 2_000, folders: 3_000, host: 4_000, tool: 5_000 } as const

/** Words of a command, and folders of a path, beyond which there is no narrower pattern. */
const MOST_STEPS = 24

/**
 * The rules that could stand for a call and calls like it, the narrowest first. None for a command line that is more
 * than one plain program with words that are known, none of which runs something else: what is joined, substituted,
 * redirected or raised is asked about each time. [PERM2]
 */
export function candidatesFor({ call, definition, workspaceRoot }: PermissionCase): readonly RuleCandidate[] {
  if (!definition) return []
  const { subjects, isComplete } = subjectsOf(call.input, definition)
  const lines = subjects.filter(({ role }) => role === 'shell-line')
  const commands = lines.flatMap(({ text }) => plainCommand(text) ?? [])
  if (commands.length < lines.length) return []
  const exact = exactPattern(call)
  const patterns = isComplete ? subjects.flatMap((subject) => patternsFor(subject, workspaceRoot)) : []
  const isNarrowable = subjects.some(({ role }) => role !== 'text')
  const destroys = definition.annotations?.destructive === true || definition.claims?.annotations?.destructive === true
  return [
    ...commands.flatMap(patternsForCommand),
    ...patterns,
    ...(exact.length <= EXACT_LIMIT_CHARS ? [{ pattern: exact, breadth: BREADTH.exact }] : []),
    ...(isNarrowable || destroys || definition.category === 'execute' ? [] : [{ breadth: BREADTH.tool }]),
  ]
    .map((candidate) => ({ tool: call.name, ...candidate }))
    .sort((a, b) => a.breadth - b.breadth)
}

type Pattern = Required<Pick<RuleCandidate, 'pattern' | 'breadth'>>

/** The one program of a line in which nothing else happens; null for any other line. */
function plainCommand(text: string): JudgedCommand | null {
  const line = judgeShellLine(text, SHELL_LIMITS)
  const [command, ...more] = line.type === 'readable' ? line.commands : []
  if (!command || more.length > 0 || command.role !== 'program' || command.name === null) return null
  const { runner, running, assignments, redirections, unclear, raises, inFunction } = command
  const words = [...runner, ...command.words]
  const isPlain = unclear === null && !raises && inFunction === null && words.every(isKnown)
  const besides = running.length + assignments.length + redirections.length
  // Words of the shell itself (`!`, `time`, `&`) stand in the line and in no command of it.
  const written = parseShellPattern(text)?.map(({ literal }) => literal) ?? []
  const isWhole = written.length === words.length && words.every((word, index) => word.text === written[index])
  return isPlain && isWhole && besides === 0 ? command : null
}

/** Whether the program gets the word as it is written; in the place of a tilde the shell puts a folder. */
function isKnown({ kind, text }: JudgedCommand['words'][number]): boolean {
  return kind === 'literal' && !text.startsWith('~')
}

/** The whole command, then its beginnings, the longest first. */
function patternsForCommand({ words: ownWords, name, runner }: JudgedCommand): Pattern[] {
  const words = [...runner, ...ownWords]
  const written = words.map(({ text }) => quoted(text))
  const spelled = written.filter((word) => word !== null)
  if (spelled.length < words.length || words.length > MOST_STEPS) return []
  const own = { pattern: spelled.join(' '), breadth: BREADTH.own }
  const isFree = name !== null && FREE_ARGUMENTS.has(name)
  const carries = CARRYING_WORDS.has(words[1]?.text ?? '')
  // An option before the word that says what the program does may change what that word means.
  if (!isFree && words[1]?.text.startsWith('-')) return [own]
  const fewest = runner.length > 0 ? runner.length + 2 : isFree ? 1 : carries ? 3 : 2
  const beginnings: Pattern[] = []
  for (let count = words.length; count >= fewest; count--)
    beginnings.push({ pattern: `${spelled.slice(0, count).join(' ')} *`, breadth: BREADTH.words - count })
  return [own, ...beginnings]
}

/** Commands that run the program or the script that the next word names: a beginning names it too. */
const CARRYING_WORDS: ReadonlySet<string> = new Set(['exec', 'run', 'dlx', 'x'])

/** A word as a pattern spells it; null for one that cannot be spelled. */
function quoted(word: string): string | null {
  if (/^[A-Za-z0-9_./:@%+,-][A-Za-z0-9_./:@%+=,-]*$/.test(word)) return word
  return word === '' || word.includes("'") || /[\n\r]/.test(word) ? null : `'${word}'`
}

function patternsFor({ role, text }: Subject, workspaceRoot: string | null): Pattern[] {
  switch (role) {
    case 'path':
      return patternsForPath(text, workspaceRoot)
    case 'url':
      return patternsForUrl(text)
    case 'shell-line':
    case 'text':
      return []
  }
}

/** The file, its folder, and the folders that hold it; never the whole workspace. */
function patternsForPath(text: string, workspaceRoot: string | null): Pattern[] {
  const place = placePath(text, workspaceRoot)
  if (place.type !== 'inside' || place.path === '' || place.path.includes('*')) return []
  const folders = place.path.split('/').slice(0, -1)
  if (folders.length > MOST_STEPS) return []
  const above = folders.map((_, index) => ({
    pattern: `${folders.slice(0, index + 1).join('/')}/**`,
    breadth: BREADTH.folders - index,
  }))
  return [
    { pattern: place.path, breadth: BREADTH.own },
    { pattern: [...folders, '*'].join('/'), breadth: BREADTH.folder },
    ...above,
  ]
}

/** The address, and its host. */
function patternsForUrl(text: string): Pattern[] {
  const url = URL.canParse(text) ? new URL(text) : null
  const isPlain = url !== null && (url.protocol === 'https:' || url.protocol === 'http:') && url.username === ''
  if (!isPlain || url.password !== '') return []
  const own = `${url.origin}${url.pathname}${url.search}`
  return [
    ...(own.includes('*') ? [] : [{ pattern: own, breadth: BREADTH.own }]),
    { pattern: `${url.origin}/*`, breadth: BREADTH.host },
  ]
}
