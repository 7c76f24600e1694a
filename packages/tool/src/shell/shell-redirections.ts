import type { ShellRedirection } from './shell-command.ts'
import { peek, refuse, type ShellCursor, skipBlanks } from './shell-cursor.ts'
import { readExpandingText, readWord } from './shell-words.ts'

const OPERATOR = /[0-9]*(?:&>>|&>|<<<|<<-|<<|<>|<&|>>|>\||>&|<(?!\()|>(?!\())/y

/** Reads one redirection, or nothing when none is next. The text of a here-document follows the line. */
export function readRedirection(cursor: ShellCursor): ShellRedirection | null {
  if (peek(cursor, /\{[A-Za-z_][A-Za-z0-9_]*\}[<>]/y) !== null) refuse(cursor, 'a redirection to a named descriptor')
  const written = peek(cursor, OPERATOR)
  if (written === null) return null
  const operator = written.replace(/^[0-9]+/, '')
  cursor.at += written.length
  skipBlanks(cursor)
  const before = cursor.at
  const target = readWord(cursor)
  if (cursor.at === before) refuse(cursor, 'a redirection to nothing')
  switch (operator) {
    case '<<':
    case '<<-': {
      const { kind, text, isBare } = target
      // A line joined or a pattern in the delimiter: shells differ.
      if (kind !== 'literal' || text.includes('\n')) refuse(cursor, 'a here-document with an unclear end')
      cursor.pending.push({ delimiter: text, stripTabs: operator === '<<-', expands: isBare })
      return { operator: '<<', target: null }
    }
    case '<':
    case '<>':
    case '>':
    case '>>':
    case '>|':
    case '>&':
    case '<&':
    case '&>':
    case '&>>':
    case '<<<': {
      const { kind, text, prefix } = target
      return { operator, target: { kind, text, prefix } }
    }
    default:
      refuse(cursor, `the redirection ${operator}`)
  }
}

/** Reads the texts of the here-documents that the line before has opened, and what they substitute. */
export function readHereDocuments(cursor: ShellCursor): void {
  for (const { delimiter, stripTabs, expands } of cursor.pending.splice(0)) {
    let body = ''
    for (;;) {
      if (cursor.at >= cursor.text.length) refuse(cursor, `a here-document without its end ${delimiter}`)
      const end = cursor.text.indexOf('\n', cursor.at)
      const line = cursor.text.slice(cursor.at, end === -1 ? cursor.text.length : end)
      cursor.at = end === -1 ? cursor.text.length : end + 1
      if ((stripTabs ? line.replace(/^\t+/, '') : line) === delimiter) break
      body += `${line}\n`
    }
    if (expands) readExpandingText({ ...cursor, text: body, at: 0, pending: [] })
  }
}
