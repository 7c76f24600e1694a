import { baseName, type JudgedCommand, readingsOf } from '../shell/judge-line.ts'
import { takesOption } from '../shell/running-options.ts'
import type { ShellRedirection, ShellWord } from '../shell/shell-command.ts'
import { FREE_ARGUMENTS, isHarmlessVariable } from '../shell/shell-wrappers.ts'
import { globMatches } from './glob.ts'

/** The words of a pattern for commands; quotes and backslashes are those of a shell, `*` is any text. */
interface PatternWord {
  /** With `*` for any text; a star that was quoted stands in `literal` only. */
  readonly glob: string | null
  readonly literal: string
}

/** Reads a pattern such as `git log *`; null when its quotes do not close. */
export function parseShellPattern(pattern: string): readonly PatternWord[] | null {
  const words: PatternWord[] = []
  let open: { text: string; hasStar: boolean; hasQuotedStar: boolean } | null = null
  let quote: string | null = null
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at] ?? ''
    if (quote === null && (character === ' ' || character === '\t')) {
      if (open) words.push(toPatternWord(open))
      open = null
      continue
    }
    open ??= { text: '', hasStar: false, hasQuotedStar: false }
    if (quote === character) quote = null
    else if (quote === null && (character === "'" || character === '"')) quote = character
    else {
      const isEscape = character === '\\' && quote !== "'" && at + 1 < pattern.length
      const taken = isEscape ? (pattern[++at] ?? '') : character
      const isStar = taken === '*'
      open.hasStar ||= isStar && !isEscape && quote === null
      open.hasQuotedStar ||= isStar && (isEscape || quote !== null)
      open.text += taken
    }
  }
  if (open) words.push(toPatternWord(open))
  return quote === null && words.length > 0 ? words : null
}

function toPatternWord({
  text,
  hasStar,
  hasQuotedStar,
}: {
  text: string
  hasStar: boolean
  hasQuotedStar: boolean
}): PatternWord {
  // A word with stars of both kinds cannot be told apart any more: it matches itself only.
  return { literal: text, glob: hasStar && !hasQuotedStar ? text : null }
}

/**
 * Whether an allow rule's pattern covers a command: word by word, and only words that are known before the
 * line runs. A last `*` stands for any further words, another one for exactly one. A word by which the program
 * runs something else must be spelled in the pattern, and so must a runner with what it runs, and each option of a
 * program that nobody knows. [PERM2]
 */
export function patternAllows(pattern: readonly PatternWord[], command: JudgedCommand): boolean {
  if (command.unclear !== null || command.raises || !hasHarmlessFrame(command)) return false
  const { running, name, runner } = command
  const words = [...runner, ...command.words]
  const takesRest = pattern.at(-1)?.glob === '*'
  const fixed = takesRest ? pattern.slice(0, -1) : pattern
  if (words.length < fixed.length || (!takesRest && words.length !== fixed.length)) return false
  // What stands behind `npm test --` is handed to the script.
  const handedOn = name === 'npm' ? words.findIndex(({ text }) => text === '--') : -1
  return words.every((word, index) => {
    const isTaken = (handedOn !== -1 && index > handedOn) || takesWord(word, name)
    const wanted = fixed[index]
    if (wanted?.glob === null) return word.kind === 'literal' && word.text === wanted.literal
    const isSpelledOnly = runner.length > 0 && index <= runner.length
    if (isSpelledOnly || running.includes(index - runner.length)) return false
    if (wanted && wanted.glob !== null) {
      const isWritten = wanted.glob.startsWith('-') || isTaken
      return word.kind === 'literal' && isWritten && globMatches(wanted.glob, word.text)
    }
    return isTaken && isClearArgument(word, name)
  })
}

/** Whether the word is none of the options of its program that are not known. */
function takesWord({ text }: ShellWord, name: string | null): boolean {
  return !text.startsWith('-') || (name !== null && takesOption(name, text))
}

/** Whether whatever the word becomes is the path of a file, or the program has no argument that harms. */
function isClearArgument({ kind, prefix }: ShellWord, name: string | null): boolean {
  if (kind === 'literal' || (name !== null && FREE_ARGUMENTS.has(name))) return true
  return kind === 'glob' && prefix.includes('/') && !prefix.startsWith('-')
}

/** Whether variables and redirections around a command leave it what it is. */
export function hasHarmlessFrame({ assignments, redirections }: JudgedCommand): boolean {
  return assignments.every(({ name }) => isHarmlessVariable(name)) && redirections.every(isHarmlessRedirection)
}

function isHarmlessRedirection({ operator, target }: ShellRedirection): boolean {
  if (operator === '<<' || operator === '<<<') return true
  if (target?.kind !== 'literal') return false
  if (operator === '<') return !target.text.startsWith('/dev/') || target.text === '/dev/null'
  if ((operator === '>&' || operator === '<&') && /^(?:[0-9]+|-)$/.test(target.text)) return true
  return operator !== '<>' && operator !== '<&' && target.text === '/dev/null'
}

/**
 * Whether a rule that denies or asks meets a command: by the program's name without its folder, `*` for any
 * words, and a word that is not known before the line runs taken for whatever the pattern wants. Where `codeIsUnknown`,
 * so is a command that carries code in its arguments. [PERM1, PERM2]
 */
export function patternMeets(
  pattern: readonly PatternWord[],
  command: JudgedCommand,
  { codeIsUnknown }: { readonly codeIsUnknown: boolean },
): boolean {
  if (command.words.length === 0) return false
  if (command.name === null || (codeIsUnknown && command.carriesCode)) return true
  return readingsOf(command).some((words) => meets(pattern, words))
}

function meets(pattern: readonly PatternWord[], words: readonly ShellWord[]): boolean {
  let reachable = new Set([0])
  for (const [index, wanted] of pattern.entries()) {
    const next = new Set<number>()
    for (const at of reachable) {
      const word = words[at]
      if (word && word.kind !== 'literal') return true
      if (wanted.glob === '*' && index > 0) for (let to = at; to <= words.length; to++) next.add(to)
      else if (word && wordMeets(wanted, index === 0 ? baseName(word.text) : word.text, index === 0)) next.add(at + 1)
    }
    reachable = next
  }
  return (
    reachable.has(words.length) || [...reachable].some((at) => words.slice(at).some(({ kind }) => kind !== 'literal'))
  )
}

function wordMeets({ glob, literal }: PatternWord, text: string, isProgram: boolean): boolean {
  const own = isProgram ? baseName(glob ?? literal) : (glob ?? literal)
  return glob === null ? text === own : globMatches(own, text)
}
