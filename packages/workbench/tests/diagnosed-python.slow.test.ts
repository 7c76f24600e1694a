import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type DiagnosedBench, openDiagnosed } from './support/diagnosed-bench.ts'

const base = realpathSync(mkdtempSync(join(tmpdir(), 'holdfast-python-')))
const root = join(base, 'work')
let bench: DiagnosedBench

const KETTLE = `def warm(degrees: int) -> int:
    return degrees + 7


wrong_before: str = 12
`
const USE = `from kettle import warm

hot: int = warm(96)
`

/** A folder that was wrong before anybody touched it, and the pyright of this repository. */
beforeAll(async () => {
  mkdirSync(root, { recursive: true })
  writeFileSync(join(root, 'kettle.py'), KETTLE)
  writeFileSync(join(root, 'use.py'), USE)
  bench = await openDiagnosed(base, root)
})
afterAll(async () => {
  await bench.close()
  rmSync(base, { recursive: true, force: true })
})

/** What a result says of new errors. */
function toldIn(text: string): readonly string[] {
  expect(text).not.toContain('Not checked')
  const from = text.indexOf('New errors of Python since this change:\n')
  return from < 0 ? [] : text.slice(from).split('\n').slice(1)
}

it('[WS31] a change of Python says the errors that it made, in the file and in what was changed before, and none that were there', async () => {
  await bench.say('read', { path: 'kettle.py' })
  const first = await bench.say('edit', {
    path: 'kettle.py',
    old_text: 'return degrees + 7',
    new_text: 'return str(degrees)',
  })
  expect(toldIn(first)).toEqual([expect.stringMatching(/^kettle\.py:2:\d+ Type "str" is not assignable .*"int"/)])
  // A command mends it, and says nothing of what was wrong before.
  expect(toldIn(await bench.say('shell', { command: "sed -i 's/str(degrees)/degrees + 7/' kettle.py" }))).toEqual([])
  await bench.say('shell', { command: "echo 'cold: int = warm(12)' >> use.py" })
  const broken = await bench.say('shell', {
    command: "sed -i 's/-> int/-> str/; s/degrees + 7/str(degrees)/' kettle.py",
  })
  expect(toldIn(broken)).toEqual([expect.stringMatching(/^use\.py: 2 in this file, which it did not change/)])
}, 120_000)
