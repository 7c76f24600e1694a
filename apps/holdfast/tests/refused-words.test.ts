import { expect, test, vi } from 'vitest'
import { main } from '../src/main.ts'

/** What the command line says to these words, in this process: each is refused before anything is reached. */
async function refusalOf(...words: readonly string[]): Promise<readonly [number, string]> {
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  try {
    const code = await main(['node', 'holdfast', ...words])
    return [code, said.mock.calls.map(([text]) => String(text)).join('')]
  } finally {
    said.mockRestore()
  }
}

test('[CLI24] an empty word is refused by the name of its option or argument, for every command', async () => {
  const add = ['schedule', 'add', 'Look', '--cron', '0 9 * * *']
  const empty = '--name is empty. Give it a value, or leave it out. (E_USAGE)\n'
  expect(await refusalOf(...add, '--name', '')).toEqual([2, empty])
  expect(await refusalOf('user', 'add', 'ann@example.org', '--name', ' ')).toEqual([2, empty])
  expect(await refusalOf('schedule', 'add', ' ', '--cron', '0 9 * * *')).toEqual([
    2,
    '<text> is empty. Give it words. (E_USAGE)\n',
  ])
})

test('[CLI24] a budget that is no amount is refused before a schedule is made', async () => {
  for (const wrong of ['abc', '0', '-1', 'Infinity'])
    expect(await refusalOf('schedule', 'add', 'Look', '--cron', '0 9 * * *', '--budget', wrong)).toEqual([
      2,
      `--budget ${wrong} is no budget: give US dollars, such as 0.50; leave it out for none. (E_USAGE)\n`,
    ])
})

test('[CLI24] minutes that are no number are refused before a schedule is made', async () => {
  expect(await refusalOf('schedule', 'add', 'Look', '--cron', '0 9 * * *', '--jitter', 'abc')).toEqual([
    2,
    '--jitter is a whole number of minutes, such as 10, not "abc". (E_USAGE)\n',
  ])
})

test('[CLI40] what a schedule may be told is refused by the name of its option before anything is reached', async () => {
  const edit = ['schedule', 'edit', 'Bells']
  expect(await refusalOf(...edit, '--day-budget', '0')).toEqual([
    2,
    '--day-budget 0 is no budget: give US dollars, such as 0.50, or none. (E_USAGE)\n',
  ])
  const add = ['schedule', 'add', 'Look', '--cron', '0 9 * * *']
  expect((await refusalOf(...add, '--month-budget', 'x'))[1]).toContain('--month-budget x is no budget')
  for (const [flag, wrong] of [
    ['--unattended', 'allow'],
    ['--missed', 'some'],
    ['--overlap', 'both'],
  ] as const)
    expect((await refusalOf(...add, flag, wrong))[1]).toMatch(
      new RegExp(`${flag}.*${wrong}.*(?:Allowed choices|one of)`, 'is'),
    )
})
