import { indexOfUnclear } from '../unclear-characters.ts'
import {
  type ShellAssignment,
  type ShellCommand,
  type ShellLine,
  ShellRefusal,
  type ShellWord,
} from './shell-command.ts'
import {
  deeper,
  peek,
  type Reading,
  refuse,
  type ShellCursor,
  type ShellLimits,
  sees,
  skipBlanks,
  take,
} from './shell-cursor.ts'
import { readHereDocuments, readRedirection } from './shell-redirections.ts'
import { readWord, type WrittenWord } from './shell-words.ts'

const RESERVED =
  /(?:if|then|elif|else|fi|for|while|until|do|done|case|esac|in|function|select|coproc|time|\{|\}|!|\[\[)(?=[ \t\n;&|<>()]|$)/y
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/
const ASSIGNMENT = /^([A-Za-z_][A-Za-z0-9_]*)\+?=/
const ELEMENT_ASSIGNMENT = /^[A-Za-z_][A-Za-z0-9_]*\[/

/**
 * Finds every simple command of a line of POSIX shell or bash. What it does not know for certain it
 * refuses; it never guesses. [PERM2]
 */
export function parseShellLine(text: string, limits: ShellLimits): ShellLine {
  const reading: Reading = { commands: [], limits, functions: [], depth: 0 }
  try {
    readCommandText(text, reading)
  } catch (error) {
    if (error instanceof ShellRefusal) return { type: 'refused', reason: error.message }
    throw error
  }
  return { type: 'parsed', commands: reading.commands }
}

function readCommandText(text: string, reading: Reading): void {
  const cursor: ShellCursor = { text, at: 0, pending: [], reading, readSubstitution, readCommandText }
  if (text.length > reading.limits.maxLength)
    refuse(cursor, `a line of more than ${reading.limits.maxLength} characters`)
  const unclear = indexOfUnclear(text)
  if (unclear !== -1) {
    throw new ShellRefusal(`a control character or a character that cannot be seen at character ${unclear + 1}`)
  }
  readList(cursor, [])
  if (cursor.at < text.length) refuse(cursor, `an unexpected "${text[cursor.at]}"`)
  if (cursor.pending.length > 0) refuse(cursor, 'a here-document without its text')
}

function readSubstitution(cursor: ShellCursor): void {
  const outer = cursor.pending.splice(0)
  readList(cursor, [])
  if (!take(cursor, ')')) refuse(cursor, 'a parenthesis that does not close')
  if (cursor.pending.length > 0) refuse(cursor, 'a here-document without its text')
  cursor.pending.push(...outer)
}

/** Reads commands until the end, a closing parenthesis, `;;`, or one of the reserved words. */
function readList(cursor: ShellCursor, until: readonly string[]): void {
  for (;;) {
    skipLines(cursor)
    if (atListEnd(cursor, until)) return
    readPipelines(cursor)
    skipBlanks(cursor)
    if (sees(cursor, ';;')) return
    if (!take(cursor, ';') && !take(cursor, '&') && !sees(cursor, '\n')) {
      if (atListEnd(cursor, [])) return
      refuse(cursor, `an unexpected "${cursor.text[cursor.at]}"`)
    }
  }
}

function atListEnd(cursor: ShellCursor, until: readonly string[]): boolean {
  if (cursor.at >= cursor.text.length || sees(cursor, ')') || sees(cursor, ';;')) return true
  const reserved = peek(cursor, RESERVED)
  return reserved !== null && until.includes(reserved)
}

function skipLines(cursor: ShellCursor): void {
  for (;;) {
    skipBlanks(cursor)
    if (!take(cursor, '\n')) return
    readHereDocuments(cursor)
  }
}

function readPipelines(cursor: ShellCursor): void {
  for (;;) {
    for (;;) {
      skipBlanks(cursor)
      const word = peek(cursor, RESERVED)
      if (word !== '!' && word !== 'time') break
      cursor.at += word.length
      skipBlanks(cursor)
      if (word === 'time' && peek(cursor, /-p(?=[ \t\n])/y) !== null) cursor.at += 2
    }
    deeper(cursor, () => readCommand(cursor))
    skipBlanks(cursor)
    if (!take(cursor, '&&') && !take(cursor, '||') && !take(cursor, '|&') && !take(cursor, '|')) return
    skipLines(cursor)
  }
}

function readCommand(cursor: ShellCursor): void {
  if (sees(cursor, '((')) refuse(cursor, 'arithmetic, or a subshell that looks like it')
  if (take(cursor, '(')) {
    readSubstitution(cursor)
    readTrailingRedirections(cursor)
    return
  }
  const reserved = peek(cursor, RESERVED)
  if (reserved === null) {
    readSimpleCommand(cursor)
    return
  }
  cursor.at += reserved.length
  readCompound(cursor, reserved)
}

function readCompound(cursor: ShellCursor, reserved: string): void {
  switch (reserved) {
    case '{':
      readList(cursor, ['}'])
      expectReserved(cursor, '}')
      break
    case 'if':
      readIf(cursor)
      break
    case 'while':
    case 'until':
      readList(cursor, ['do'])
      readDo(cursor)
      break
    case 'for':
      readFor(cursor)
      break
    case 'case':
      readCase(cursor)
      break
    case '[[':
      readCondition(cursor)
      break
    case 'function':
      skipBlanks(cursor)
      readFunctionBody(cursor, readWord(cursor))
      return
    default:
      refuse(cursor, `"${reserved}" where a command begins`)
  }
  readTrailingRedirections(cursor)
}

function expectReserved(cursor: ShellCursor, word: string): void {
  if (peek(cursor, RESERVED) !== word) refuse(cursor, `no "${word}"`)
  cursor.at += word.length
}

function readIf(cursor: ShellCursor): void {
  readList(cursor, ['then'])
  expectReserved(cursor, 'then')
  readList(cursor, ['elif', 'else', 'fi'])
  while (peek(cursor, RESERVED) === 'elif') {
    expectReserved(cursor, 'elif')
    readList(cursor, ['then'])
    expectReserved(cursor, 'then')
    readList(cursor, ['elif', 'else', 'fi'])
  }
  if (peek(cursor, RESERVED) === 'else') {
    expectReserved(cursor, 'else')
    readList(cursor, ['fi'])
  }
  expectReserved(cursor, 'fi')
}

function readDo(cursor: ShellCursor): void {
  expectReserved(cursor, 'do')
  readList(cursor, ['done'])
  expectReserved(cursor, 'done')
}

function readFor(cursor: ShellCursor): void {
  skipBlanks(cursor)
  const name = readWord(cursor)
  if (!name.isBare || !NAME.test(name.text)) refuse(cursor, 'a loop without a plain name')
  skipLines(cursor)
  if (peek(cursor, RESERVED) === 'in') {
    expectReserved(cursor, 'in')
    readWordsOfLine(cursor)
  }
  skipBlanks(cursor)
  take(cursor, ';')
  skipLines(cursor)
  add(cursor, { words: [], redirections: [], assignments: [{ name: name.text, value: unknownWord }] })
  readDo(cursor)
}

const unknownWord: ShellWord = { kind: 'dynamic', text: '', prefix: '' }

function readWordsOfLine(cursor: ShellCursor): void {
  for (;;) {
    skipBlanks(cursor)
    if (cursor.at >= cursor.text.length || peek(cursor, /[\n;]/y) !== null) return
    readSomeWord(cursor)
  }
}

function readSomeWord(cursor: ShellCursor): WrittenWord {
  const start = cursor.at
  const word = readWord(cursor)
  if (cursor.at === start) refuse(cursor, `an unexpected "${cursor.text[cursor.at] ?? 'end'}"`)
  return word
}

function readCase(cursor: ShellCursor): void {
  skipBlanks(cursor)
  readSomeWord(cursor)
  skipLines(cursor)
  expectReserved(cursor, 'in')
  for (;;) {
    skipLines(cursor)
    if (peek(cursor, RESERVED) === 'esac') break
    take(cursor, '(')
    do {
      skipBlanks(cursor)
      readSomeWord(cursor)
      skipBlanks(cursor)
    } while (take(cursor, '|'))
    if (!take(cursor, ')')) refuse(cursor, 'a pattern without its parenthesis')
    readList(cursor, ['esac'])
    if (!take(cursor, ';;')) break
    if (sees(cursor, '&')) refuse(cursor, 'a branch that falls through')
  }
  expectReserved(cursor, 'esac')
}

/**
 * `[[ … ]]` without what evaluates its words (arithmetic comparison, `-v`, `-R`, regular expressions) and
 * without `&&`, behind which a plain POSIX shell would run a command.
 */
function readCondition(cursor: ShellCursor): void {
  for (;;) {
    skipBlanks(cursor)
    const word = readSomeWord(cursor)
    if (word.isBare && word.text === ']]') return
    if (/^(?:-v|-R|-eq|-ne|-lt|-le|-gt|-ge|=~)$/.test(word.text)) refuse(cursor, `a condition with ${word.text}`)
  }
}

function readFunctionBody(cursor: ShellCursor, name: WrittenWord): void {
  if (!name.isBare || name.kind !== 'literal') refuse(cursor, 'a function without a plain name')
  skipBlanks(cursor)
  if (take(cursor, '(')) {
    skipBlanks(cursor)
    if (!take(cursor, ')')) refuse(cursor, 'a function with something in its parentheses')
  }
  skipLines(cursor)
  if (!sees(cursor, '(') && peek(cursor, RESERVED) !== '{') refuse(cursor, 'a function without braces')
  cursor.reading.functions.push(name.text)
  readCommand(cursor)
  cursor.reading.functions.pop()
}

function readSimpleCommand(cursor: ShellCursor): void {
  const command = {
    assignments: [] as ShellAssignment[],
    words: [] as WrittenWord[],
    redirections: [] as ShellCommand['redirections'][number][],
  }
  const start = cursor.at
  for (;;) {
    skipBlanks(cursor)
    const redirection = readRedirection(cursor)
    if (redirection !== null) {
      command.redirections.push(redirection)
      continue
    }
    const isWord =
      cursor.at < cursor.text.length && (peek(cursor, /[\n;&|<>()]/y) === null || peek(cursor, /[<>]\(/y) !== null)
    if (!isWord) break
    const word = readSomeWord(cursor)
    const assignment = command.words.length === 0 ? toAssignment(cursor, word) : null
    if (assignment) command.assignments.push(assignment)
    else command.words.push(word)
    if (sees(cursor, '(') || peek(cursor, /[ \t]+\(/y) !== null) {
      if (command.words.length !== 1 || command.assignments.length + command.redirections.length > 0) break
      readFunctionBody(cursor, word)
      return
    }
  }
  if (cursor.at === start) refuse(cursor, `an unexpected "${cursor.text[cursor.at] ?? 'end'}"`)
  add(cursor, command)
}

function toAssignment(cursor: ShellCursor, word: WrittenWord): ShellAssignment | null {
  if (ELEMENT_ASSIGNMENT.test(word.bare) && word.text.includes('=')) refuse(cursor, 'an assignment to an element')
  const match = ASSIGNMENT.exec(word.bare)
  if (!match) return null
  const [head, name = ''] = match
  const { kind, text, prefix } = word
  return { name, value: { kind, text: text.slice(head.length), prefix: prefix.slice(head.length) } }
}

function readTrailingRedirections(cursor: ShellCursor): void {
  const redirections: ShellCommand['redirections'][number][] = []
  for (;;) {
    skipBlanks(cursor)
    const redirection = readRedirection(cursor)
    if (redirection === null) break
    redirections.push(redirection)
  }
  if (redirections.length > 0) add(cursor, { assignments: [], words: [], redirections })
}

function add(cursor: ShellCursor, command: Omit<ShellCommand, 'inFunction'>): void {
  const { commands, limits, functions } = cursor.reading
  if (commands.length >= limits.maxCommands) refuse(cursor, `more than ${limits.maxCommands} commands`)
  const words = command.words.map(({ kind, text, prefix }) => ({ kind, text, prefix }))
  commands.push({ ...command, words, inFunction: functions.at(-1) ?? null })
}
