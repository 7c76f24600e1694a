import { describe, expect, it } from 'vitest'
import { judgeShellLine } from '../src/shell/judge-line.ts'
import { SHELL_LIMITS } from '../src/shell/shell-cursor.ts'
import { parseShellLine } from '../src/shell/shell-line.ts'

/** The commands of a line, each as its words joined by a blank. */
function commandsOf(line: string): string[] {
  const parsed = parseShellLine(line, SHELL_LIMITS)
  return parsed.type === 'refused'
    ? [`refused: ${parsed.reason}`]
    : parsed.commands.map(({ words }) => words.map(({ text }) => text).join(' '))
}

function programsOf(line: string): (string | null)[] {
  const judged = judgeShellLine(line, SHELL_LIMITS)
  return judged.type === 'unreadable'
    ? ['unreadable']
    : judged.commands.filter(({ role }) => role === 'program').map(({ name }) => name)
}

describe('reading a shell line', () => {
  it('[PERM2] finds each command of lists, pipes and lines', () => {
    expect(commandsOf('a 1; b 2 && c || d | e |& f & g\nh # i\nj')).toEqual([
      'a 1',
      'b 2',
      'c',
      'd',
      'e',
      'f',
      'g',
      'h',
      'j',
    ])
  })

  it('[PERM2] finds commands in substitutions of every kind, however deep', () => {
    expect(commandsOf('a "$(b "$(c)")" `d` <(e) >(f) ${x:-$(g)}')).toEqual(['c', 'b ', 'd', 'e', 'f', 'g', 'a     '])
  })

  it('[PERM2] finds commands in compounds and functions', () => {
    const line =
      'if a; then b; elif c; then d; else e; fi; while f; do g; done; for x in 1 2; do h; done; case y in (z) i;; *) j;; esac; k() { l; }; (m)'
    expect(commandsOf(line).filter(Boolean)).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'l', 'm'])
  })

  it('[PERM2] reads here-documents: expanding ones with their substitutions, quoted ones as text', () => {
    expect(commandsOf('a <<E; b\n$(c)\nE\nd')).toEqual(['a', 'b', 'c', 'd'])
    expect(commandsOf("a <<'E'\n$(c)\nE\nd")).toEqual(['a', 'd'])
    expect(commandsOf('a <<-E\n\tx\n\tE\nd')).toEqual(['a', 'd'])
    expect(commandsOf('a <<E\nx')[0]).toContain('without its end E')
  })

  it('[PERM2] reads quotes and escapes as the shell does', () => {
    expect(commandsOf(`a 'b;c' "d\\"e" f\\;g 'h'"i"j "k\nl"`)).toEqual(['a b;c d"e f;g hij k\nl'])
  })

  it('[PERM2] keeps assignments and redirections with their command', () => {
    const line = parseShellLine('A=1 B="$x" cmd <in 2>&1 >>out', SHELL_LIMITS)
    expect(line).toMatchObject({
      type: 'parsed',
      commands: [
        {
          assignments: [
            { name: 'A', value: { kind: 'literal', text: '1' } },
            { name: 'B', value: { kind: 'dynamic' } },
          ],
          redirections: [
            { operator: '<', target: { text: 'in' } },
            { operator: '>&', target: { text: '1' } },
            { operator: '>>', target: { text: 'out' } },
          ],
        },
      ],
    })
  })

  it('[PERM2] says of each word whether it is known before the line runs', () => {
    const line = parseShellLine('a b *.c src/*.d $e "f$g" {h,i} {} {', SHELL_LIMITS)
    const kinds = line.type === 'parsed' ? line.commands[0]?.words.map(({ kind, prefix }) => `${kind}:${prefix}`) : []
    expect(kinds).toEqual([
      'literal:a',
      'literal:b',
      'glob:',
      'glob:src/',
      'dynamic:',
      'dynamic:f',
      'dynamic:',
      'literal:{}',
      'literal:{',
    ])
  })

  it.each([
    ['an open quote', "a 'b"],
    ['a carriage return', 'a\rb'],
    ['a blank that is none', 'a\u00a0b'],
    ['arithmetic with names', 'a $((x))'],
    ['an expansion that runs code', 'a ${x@P}'],
    ['an array', 'a=(b)'],
    ['a line joined inside a word', 'a\\\nb'],
    ['an unexpected operator', 'a ; ; b'],
    ['a missing end', 'if a; then b'],
    ['half a surrogate pair', 'a \ud800'],
  ])('[PERM2] refuses %s', (_, line) => {
    expect(commandsOf(line)[0]).toMatch(/^refused/)
  })

  it('[PERM2] refuses lines beyond its limits, each at the limit and not before', () => {
    const limits = { maxLength: 100, maxCommands: 3, maxDepth: 4 }
    expect(parseShellLine('a;b;c', limits).type).toBe('parsed')
    expect(parseShellLine('a;b;c;d', limits).type).toBe('refused')
    expect(parseShellLine(`a ${'b'.repeat(98)}`, limits).type).toBe('parsed')
    expect(parseShellLine(`a ${'b'.repeat(99)}`, limits).type).toBe('refused')
    expect(parseShellLine('((a))', limits).type).toBe('refused')
    expect(parseShellLine('( (a) )', limits).type).toBe('parsed')
    expect(parseShellLine('( ( ( ( (a) ) ) ) )', limits).type).toBe('refused')
  })

  it('[PERM2] looks through programs that run other programs', () => {
    expect(programsOf('timeout -k 1 5 nice -n 3 env A=1 x')).toEqual(['x'])
    expect(programsOf("bash -lc 'a; b | c'")).toEqual(['a', 'b', 'c'])
    expect(programsOf('find . -exec a {} + -exec b \\;')).toEqual(['a', 'b', 'find'])
    expect(programsOf('xargs -0 -n 1 a')).toEqual(['a'])
    expect(programsOf("eval 'a; b'")).toEqual(['a', 'b'])
    expect(programsOf("trap 'a' EXIT")).toEqual(['a'])
  })

  it('[PERM2] reads ten thousand commands in reasonable time, and refuses more', () => {
    expect(programsOf(Array.from({ length: 10_000 }, () => 'a').join(';'))).toHaveLength(10_000)
    expect(programsOf(Array.from({ length: 10_001 }, () => 'a').join(';'))).toEqual(['unreadable'])
  })
})
