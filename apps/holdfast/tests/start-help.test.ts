import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createProgram } from '../src/main.ts'

const SCRIPTS = join(import.meta.dirname, '..', '..', '..', 'scripts')

test('[CLI30] npm start -- --help has the options of holdfast start, and neither installs nor builds', async () => {
  const start = createProgram(() => {}).commands.find((command) => command.name() === 'start')
  const help = start?.configureOutput({ getOutHelpWidth: () => 100 }).helpInformation() ?? ''
  // Written anew with: npx vitest run apps/holdfast/tests/start-help.test.ts -u
  await expect(help).toMatchFileSnapshot(join(SCRIPTS, 'start-help.txt'))
  for (const word of ['--help', '-h']) {
    const ran = spawnSync(process.execPath, [join(SCRIPTS, 'start.mjs'), '--port', '0', word], {
      // A copy of npm or of a compiler would be found here.
      env: { PATH: '' },
      encoding: 'utf8',
      timeout: 20_000,
    })
    expect([ran.status, ran.stdout, ran.stderr]).toEqual([0, help, ''])
  }
})
