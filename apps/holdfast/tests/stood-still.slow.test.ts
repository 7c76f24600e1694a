import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@holdfast/engine/system'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { converse } from './support/agent.ts'
import { startProgram } from './support/program.ts'

/** Longer than a lease holds. */
const STILL_MS = 13_000

test('[LOG10] a process that stood still for longer than its lease goes on with its reply', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'holdfast-still-'))
  const program = await startProgram(dataDir, {})
  try {
    const { pid } = z
      .object({ pid: z.number() })
      .parse(JSON.parse(await readFile(join(dataDir, 'server.json'), 'utf8')))
    const person = await converse(program)
    await person.say('/demo stream-slow')
    await person.until('step-started', 1)
    process.kill(pid, 'SIGSTOP')
    const passed = Promise.withResolvers<void>()
    systemClock.after(STILL_MS, passed.resolve)
    await passed.promise
    process.kill(pid, 'SIGCONT')
    expect(await person.ended(1)).toMatchObject({ outcome: 'completed' })
  } finally {
    await program.stop()
    await rm(dataDir, { recursive: true })
  }
}, 180_000)
