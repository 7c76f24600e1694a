/**
 * Child of the test of the register: starts a command in a group of its own, and waits to be killed.
 *
 * Arguments: the folder of the register, a folder for the command to write its numbers to.
 */
import { childEnvironment, createProcessRegister, runProcess } from '@holdfast/tool/process'
import { systemClock } from './system-clock.ts'

const [registerFolder = '', folder = ''] = process.argv.slice(2)
await runProcess({
  program: '/bin/bash',
  args: ['-c', "trap '' TERM; sleep 300 & echo $! > child; echo $$ > parent; wait; wait; sleep 300"],
  folder,
  environment: childEnvironment({ PATH: '/usr/bin:/bin' }, {}),
  signal: new AbortController().signal,
  graceMs: 300,
  outputLimitBytes: 0,
  clock: systemClock,
  register: createProcessRegister({ folder: registerFolder, clock: systemClock, graceMs: 300 }),
})
