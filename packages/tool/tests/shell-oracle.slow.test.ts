import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { judgeShellLine } from '../src/shell/judge-line.ts'
import { SHELL_LIMITS } from '../src/shell/shell-cursor.ts'
import { openShellOracle } from './support/shell-oracle.ts'

const NAMES = ['aa', 'bb', 'cc', 'dd']
/** Every line that can be read is run by both shells. */
const LINES = process.env['HOLDFAST_FULL'] === '1' ? 15_000 : 4_000
const SHELLS = ['/bin/bash', '/bin/dash']
const oracle = openShellOracle(NAMES)
afterAll(() => oracle.close())

/** Pieces that meet in strange ways; names of programs are the stubs'. */
const PIECES = [
  ...NAMES,
  ...NAMES,
  ...[' ', ' ', ' ', ';', '; ', '&&', '||', '|', '&', '\n', '\n', '(', ')', '( ', ' )', '{ ', '; }', '{', '}'],
  ...["'", "'", '"', '"', '`', '`', '\\', '\\\n', '$(', '$(', ')', '${', '}', '${x:-', '$x', '$', "$'", '$"', '$(('],
  ...[
    '))',
    '<(',
    '>',
    '>f',
    '<f',
    '2>&1',
    '<<E\n',
    '\nE\n',
    "<<'E'\n",
    '<<-E\n',
    '\n\tE\n',
    '<<<',
    '#',
    ' #',
    '!',
    '! ',
  ],
  ...[
    'if ',
    ' then ',
    '; then ',
    '; fi',
    'else ',
    'while ',
    '; do ',
    '; done',
    'for x in ',
    'case a in a) ',
    ';; esac',
  ],
  ...[
    'f() ',
    'f',
    '[[ ',
    ' ]]',
    '[ ',
    ' ]',
    'x=',
    'x=1 ',
    '*',
    '?',
    '[',
    ']',
    '~',
    '=',
    'eval ',
    'sh -c ',
    'time ',
    'exec ',
  ],
  ...['{aa,bb}', 'a{a,b}', '\t', 'E', '@(', '+(', '((', '-', '--', 'true', 'command '],
]

describe('the shell reader beside real shells', () => {
  it('[PERM2] knows every program that a line runs, in bash and in dash, or refuses the line', () => {
    const line = fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 14 }).map((pieces) => pieces.join(''))
    let judged = 0
    fc.assert(
      fc.property(line, (text) => {
        const known = judgeShellLine(text, SHELL_LIMITS)
        if (known.type === 'unreadable' || known.commands.some(({ unclear }) => unclear !== null)) return
        judged++
        const names = known.commands.map(({ name }) => name)
        for (const shell of SHELLS) {
          for (const ran of oracle.programsRunBy(shell, text)) expect(names, `${shell}: ${text}`).toContain(ran)
        }
      }),
      { numRuns: LINES },
    )
    expect(judged).toBeGreaterThan(LINES / 50)
  }, 600_000)
})
