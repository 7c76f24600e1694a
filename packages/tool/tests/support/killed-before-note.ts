/**
 * Child of the test of the launcher: starts a command, and is killed before it could note its group.
 *
 * Argument: a folder for the command to write its number to.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { launchProgram } from '@holdfast/tool/process'

const [folder = ''] = process.argv.slice(2)
await launchProgram({
  program: '/bin/bash',
  args: ['-c', 'sleep 300'],
  folder,
  environment: { PATH: '/usr/bin:/bin' },
  hasInput: false,
  register: {
    note(groupId) {
      writeFileSync(join(folder, 'group'), String(groupId))
      process.kill(process.pid, 'SIGKILL')
    },
    forget() {},
  },
})
