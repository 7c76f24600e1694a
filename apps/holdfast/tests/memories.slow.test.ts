import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MemoriesAnswer } from '@holdfast/protocol'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startProgram } from './support/program.ts'
import { runCommand } from './support/run-command.ts'

let dataDir: string

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'holdfast-memories-'))
})

afterEach(async () => {
  await rm(dataDir, { recursive: true })
})

const command = (...args: readonly string[]) => runCommand(['memories', ...args, '--data-dir', dataDir]).ended

test('[REQ6] memories are listed, found and deleted from the terminal, and outlive the server', async () => {
  const program = await startProgram(dataDir, {})
  try {
    await program.call('POST', '/memories', { text: 'Likes green tea', isPinned: true })
    await program.call('POST', '/memories', { text: 'Lives in Bern', agentId: 'agent_1' })
    const listed = await command('list')
    expect(listed).toMatchObject({ code: 0, stderr: '2 of 2 memories.\n' })
    expect(listed.stdout).toMatch(
      /^memory_\S+ {2}Lives in Bern {2}\(only agent_1\)\nmemory_\S+ {2}Likes green tea {2}\(pinned\)\n$/,
    )
    const found = await command('list', 'green', 'tea', '--json')
    const { memories } = MemoriesAnswer.parse(JSON.parse(found.stdout))
    expect(memories.map(({ text }) => text)).toEqual(['Likes green tea'])
    expect(await command('delete')).toMatchObject({ code: 2, stderr: expect.stringContaining('E_USAGE') })
    expect(await command('delete', 'memory_none')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('There is no memory memory_none'),
    })
    const [tea] = memories
    expect(await command('delete', tea?.memoryId ?? '')).toMatchObject({ code: 0, stderr: 'Forgot 1 memory.\n' })
  } finally {
    expect(await program.stop()).toBe(0)
  }
  expect(await command('delete', '--all')).toMatchObject({ code: 0, stderr: 'Forgot 1 memory.\n' })
}, 120_000)
