import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '@holdfast/conversation'
import { defineTool, type Tool } from '@holdfast/tool'
import { childEnvironment, type ProcessRegister, runProcess } from '@holdfast/tool/process'
import * as z from 'zod'

/** File with the number of every process group that the command tool started, a line each. */
export const GROUPS_FILE = 'groups'
/** File with the id of every call that took effect, a line each. */
export const EFFECTS_FILE = 'effects'

/** Each script writes down its group and that it took effect before it says that it runs. */
const SCRIPTS = {
  quick: 'echo running; echo "2 boards, 9 screws"',
  /** It and its child end at the first TERM. */
  patient: 'sleep 300 & echo running; wait',
  /** Neither it nor its child hears TERM, and the child holds its pipes. */
  stubborn: "trap '' TERM; (trap '' TERM; sleep 300) & echo running; wait; sleep 300",
}

/** What the tools work with. */
export interface WorkshopDeps {
  readonly folder: string
  readonly clock: Clock
  readonly register: ProcessRegister
}

/** One tool that reads, one that runs a real program in a process group, and one that nobody has allowed. */
export function createWorkshopTools({ folder, clock, register }: WorkshopDeps): readonly Tool[] {
  return [
    defineTool({
      name: 'read_note',
      description: 'Reads a note.',
      input: z.object({ name: z.string() }),
      category: 'read',
      annotations: { readOnly: true },
      argumentRoles: { name: 'plain' },
      run: ({ name }) => `The note ${name} says: sort the shelf by the window.`,
    }),
    defineTool({
      name: 'run_command',
      description: 'Runs a command of the workshop.',
      input: z.object({ kind: z.enum(['quick', 'patient', 'stubborn']) }),
      category: 'execute',
      annotations: { destructive: false, openWorld: false },
      argumentRoles: { kind: 'plain' },
      run: async ({ kind }, { callId, signal, progress }) => {
        const { stdout, exitCode } = await runProcess({
          program: '/bin/bash',
          args: ['-c', `echo $$ >> ${GROUPS_FILE}; echo "$CALL" >> ${EFFECTS_FILE}; ${SCRIPTS[kind]}`],
          folder,
          environment: childEnvironment({ PATH: '/usr/bin:/bin' }, { CALL: callId }),
          signal,
          graceMs: 2_000,
          outputLimitBytes: 10_000,
          clock,
          register,
          onOutput: ({ bytes }) => progress(Buffer.from(bytes).toString()),
        })
        return { exitCode, stdout: stdout.text }
      },
    }),
    defineTool({
      name: 'publish',
      description: 'Publishes a text.',
      input: z.object({ text: z.string() }),
      category: 'edit',
      annotations: { destructive: false },
      argumentRoles: { text: 'plain' },
      run: (_, { callId }) => {
        appendFileSync(join(folder, EFFECTS_FILE), `${callId}\n`)
        return 'Published.'
      },
    }),
  ]
}
