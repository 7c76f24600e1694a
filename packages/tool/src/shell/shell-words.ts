import type { ShellWord } from './shell-command.ts'
import { deeper, peek, refuse, type ShellCursor, sees, take } from './shell-cursor.ts'

const ENDS_WORD = /[ \t\n;&|<>()]/y
const SIMPLE_PARAMETER = /[A-Za-z_][A-Za-z0-9_]*|[0-9@*#?$!-]/y
const PARAMETER_NAME = /#?(?:[A-Za-z_][A-Za-z0-9_]*|[0-9]+|[@*#?$!-])/y
/** Operators after which a word stands. `:=` sets the variable; `@`, `!` and offsets run code or arithmetic: refused. */
const PARAMETER_OPERATOR = /:-|-|:\?|\?|:\+|\+|##|#|%%|%|\/\/|\/|\^\^|\^|,,|,/y
/** Numbers only: a name in arithmetic is evaluated again, with the substitutions in its value. */
const PLAIN_ARITHMETIC = /\(\([0-9+\-*/%<>=!&|^~?:, \t]*\)\)/y
/** Without the quote: a plain POSIX shell would end the text there, and read what follows as commands. */
const ANSI_C: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\x07',
  b: '\b',
  e: '\x1b',
  f: '\f',
  v: '\v',
  '\\': '\\',
  '"': '"',
}

/** A word, and how it was written where that decides: reserved words and assignments are never quoted. */
export interface WrittenWord extends ShellWord {
  /** The part before the first quote or unknown part. */
  readonly bare: string
  readonly isBare: boolean
}

interface WordParts {
  text: string
  bare: string | null
  prefix: string | null
  hasGlob: boolean
  isDynamic: boolean
}

/**
 * Reads one word. The cursor stands on its first character.
 *
 * @throws {ShellRefusal} when it holds what the reader does not know.
 */
export function readWord(cursor: ShellCursor): WrittenWord {
  const parts: WordParts = { text: '', bare: null, prefix: null, hasGlob: false, isDynamic: false }
  const start = cursor.at
  const waiting = cursor.pending.length
  while (cursor.at < cursor.text.length) {
    const substitution = sees(cursor, '<(') || sees(cursor, '>(')
    if (substitution) readProcessSubstitution(cursor, parts)
    else if (peek(cursor, ENDS_WORD) !== null) break
    else readPart(cursor, parts)
  }
  // Shells differ in whether the here-document begins inside the quotes or behind them.
  if (waiting > 0 && cursor.text.slice(start, cursor.at).includes('\n'))
    refuse(cursor, 'a here-document before a line end in a word')
  return toWord(parts)
}

/** Reads the body of a here-document that expands, or another text with the rules of double quotes. */
export function readExpandingText(cursor: ShellCursor): void {
  const parts: WordParts = { text: '', bare: '', prefix: null, hasGlob: false, isDynamic: false }
  while (cursor.at < cursor.text.length) readQuotedPart(cursor, parts)
}

function toWord({ text, bare, prefix, hasGlob, isDynamic }: WordParts): WrittenWord {
  return {
    kind: isDynamic ? 'dynamic' : hasGlob && text !== '[' ? 'glob' : 'literal',
    text,
    prefix: prefix ?? text,
    bare: bare ?? text,
    isBare: bare === null,
  }
}

function readPart(cursor: ShellCursor, parts: WordParts): void {
  const character = cursor.text[cursor.at] ?? ''
  if (character === "'") {
    readSingleQuotes(cursor, parts)
    return
  }
  if (character === '"') {
    readDoubleQuotes(cursor, parts)
    return
  }
  if (character === '\\') {
    readEscape(cursor, parts)
    return
  }
  if (character === '$') {
    readDollar(cursor, parts, 'bare')
    return
  }
  if (character === '`') {
    readBackticks(cursor, parts, 'bare')
    return
  }
  if (character === '*' || character === '?' || character === '[') {
    parts.prefix ??= parts.text
    parts.hasGlob = true
  }
  // An unquoted brace may make several words of one, `{rm,-rf,/}`; a lone pair of braces is itself.
  if (character === '{' && !isPlainBrace(cursor, parts)) {
    parts.prefix ??= parts.text
    parts.isDynamic = true
  }
  parts.text += character
  cursor.at++
}

function isPlainBrace(cursor: ShellCursor, parts: WordParts): boolean {
  return parts.text === '' && parts.bare === null && peek(cursor, /\{\}?(?=[\s;&|<>()]|$)/y) !== null
}

function endsBare(parts: WordParts): void {
  parts.bare ??= parts.text
}

function readSingleQuotes(cursor: ShellCursor, parts: WordParts): void {
  endsBare(parts)
  const end = cursor.text.indexOf("'", cursor.at + 1)
  if (end === -1) refuse(cursor, 'a quote that does not end')
  parts.text += cursor.text.slice(cursor.at + 1, end)
  cursor.at = end + 1
}

function readEscape(cursor: ShellCursor, parts: WordParts): void {
  endsBare(parts)
  const next = cursor.text[cursor.at + 1]
  // The shell joins the lines before it reads on, so what the next character means depends on the one before.
  if (next === undefined || next === '\n') refuse(cursor, 'a backslash at the end of a line, inside a word')
  parts.text += next
  cursor.at += next.length + 1
}

function readDoubleQuotes(cursor: ShellCursor, parts: WordParts): void {
  endsBare(parts)
  cursor.at++
  while (!take(cursor, '"')) {
    if (cursor.at >= cursor.text.length) refuse(cursor, 'a quote that does not end')
    readQuotedPart(cursor, parts)
  }
}

/** One part of a text in which only `$`, backticks and backslashes mean something. */
function readQuotedPart(cursor: ShellCursor, parts: WordParts): void {
  const character = cursor.text[cursor.at] ?? ''
  if (character === '$') {
    readDollar(cursor, parts, 'quoted')
    return
  }
  if (character === '`') {
    readBackticks(cursor, parts, 'quoted')
    return
  }
  if (character !== '\\') {
    parts.text += character
    cursor.at++
    return
  }
  const next = cursor.text[cursor.at + 1]
  if (next === '\n') refuse(cursor, 'a backslash at the end of a line, inside quotes')
  const isEscape = next !== undefined && '$`"\\'.includes(next)
  parts.text += isEscape ? next : '\\'
  cursor.at += isEscape ? 2 : 1
}

function becomesUnknown(parts: WordParts): void {
  endsBare(parts)
  parts.prefix ??= parts.text
  parts.isDynamic = true
}

function readDollar(cursor: ShellCursor, parts: WordParts, place: 'bare' | 'quoted'): void {
  cursor.at++
  if (sees(cursor, '\\\n')) refuse(cursor, 'a line joined behind a dollar sign')
  if (place === 'bare' && sees(cursor, "'")) {
    readAnsiC(cursor, parts)
    return
  }
  if (place === 'bare' && sees(cursor, '"')) refuse(cursor, 'a translated text')
  if (sees(cursor, '[')) refuse(cursor, 'arithmetic in brackets')
  if (sees(cursor, '((')) {
    const arithmetic = peek(cursor, PLAIN_ARITHMETIC)
    if (arithmetic === null) refuse(cursor, 'arithmetic with names')
    becomesUnknown(parts)
    cursor.at += arithmetic.length
    return
  }
  if (take(cursor, '(')) {
    becomesUnknown(parts)
    deeper(cursor, () => cursor.readSubstitution(cursor))
    return
  }
  if (take(cursor, '{')) {
    becomesUnknown(parts)
    deeper(cursor, () => readBracedParameter(cursor, place))
    return
  }
  const parameter = peek(cursor, SIMPLE_PARAMETER)
  if (parameter === null) {
    parts.text += '$'
    return
  }
  becomesUnknown(parts)
  cursor.at += parameter.length
}

function readBracedParameter(cursor: ShellCursor, place: 'bare' | 'quoted'): void {
  const name = peek(cursor, PARAMETER_NAME)
  if (name === null) refuse(cursor, 'an expansion that is not known')
  cursor.at += name.length
  if (take(cursor, '}')) return
  const operator = name.startsWith('#') ? null : peek(cursor, PARAMETER_OPERATOR)
  if (operator === null) refuse(cursor, 'an expansion that is not known')
  cursor.at += operator.length
  const inner: WordParts = { text: '', bare: null, prefix: null, hasGlob: false, isDynamic: false }
  while (!take(cursor, '}')) {
    if (cursor.at >= cursor.text.length) refuse(cursor, 'an expansion that does not end')
    if (sees(cursor, '<(') || sees(cursor, '>(')) refuse(cursor, 'a substitution inside an expansion')
    // Shells differ in what a quote inside braces inside quotes means.
    if (place === 'quoted' && (sees(cursor, "'") || sees(cursor, '"'))) refuse(cursor, 'quotes inside an expansion')
    if (place === 'quoted') readQuotedPart(cursor, inner)
    else readPart(cursor, inner)
  }
}

function readAnsiC(cursor: ShellCursor, parts: WordParts): void {
  endsBare(parts)
  cursor.at++
  while (!take(cursor, "'")) {
    const character = cursor.text[cursor.at]
    if (character === undefined) refuse(cursor, 'a quote that does not end')
    if (character !== '\\') {
      parts.text += character
      cursor.at++
      continue
    }
    const known = ANSI_C[cursor.text[cursor.at + 1] ?? '']
    if (known === undefined) refuse(cursor, 'a character given by its number')
    parts.text += known
    cursor.at += 2
  }
}

function readBackticks(cursor: ShellCursor, parts: WordParts, place: 'bare' | 'quoted'): void {
  becomesUnknown(parts)
  const escaped = place === 'quoted' ? '$`\\"' : '$`\\'
  let inner = ''
  cursor.at++
  while (!take(cursor, '`')) {
    const character = cursor.text[cursor.at]
    if (character === undefined) refuse(cursor, 'a backtick that does not end')
    const next = cursor.text[cursor.at + 1]
    if (character === '\\' && next === '\n') refuse(cursor, 'a line joined inside backticks')
    const isEscape = character === '\\' && next !== undefined && escaped.includes(next)
    inner += isEscape ? next : character
    cursor.at += isEscape ? 2 : 1
  }
  deeper(cursor, () => cursor.readCommandText(inner, cursor.reading))
}

function readProcessSubstitution(cursor: ShellCursor, parts: WordParts): void {
  becomesUnknown(parts)
  cursor.at += 2
  deeper(cursor, () => cursor.readSubstitution(cursor))
}
