import { expect, test } from 'vitest'
import { commandLineOf, readCommandLine, readVariables } from '../src/agents/external/command-words.ts'

test('[UI106] a command is read as one line: quotes hold words together, and what is left open is no command', () => {
  const read = (line: string) => readCommandLine(line)
  expect(read('agent --acp')).toEqual({ command: 'agent', args: ['--acp'] })
  expect(read(`  "/opt/my agent/run"  'a "b" c' d\\ e x="y z" "" `)).toEqual({
    command: '/opt/my agent/run',
    args: ['a "b" c', 'd e', 'x=y z', ''],
  })
  expect(read('a $HOME `b` ; c | d > e * ~')).toEqual({
    command: 'a',
    args: ['$HOME', '`b`', ';', 'c', '|', 'd', '>', 'e', '*', '~'],
  })
  expect(['', '   ', '"a', "a 'b", 'a "b\\"', 'a\\', '"" b'].map(read)).toEqual(Array(7).fill(null))
})

test('[UI106] a command is written as the line that is read as the same command', () => {
  const words = ['plain', 'two words', "it's", '"quoted"', 'back\\slash', '', 'mix "of\' \\all', 'a\tb', '日本 語']
  for (const command of words.filter((word) => word !== ''))
    for (const arg of words)
      expect(readCommandLine(commandLineOf({ command, args: [arg] }))).toEqual({ command, args: [arg] })
})

test('[UI106] variables are read a line each, with all that stands behind the first sign', () => {
  expect(readVariables('A=1\n\n  B_2 = x=y \n')).toEqual({ type: 'read', env: { A: '1', B_2: 'x=y' } })
  expect(readVariables('A=1\nnothing')).toEqual({ type: 'bad-line', line: 2 })
  expect(readVariables('2A=1')).toEqual({ type: 'bad-line', line: 1 })
})
