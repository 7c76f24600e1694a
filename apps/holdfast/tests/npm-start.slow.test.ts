import { spawn } from 'node:child_process'
import { access, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, expect, test } from 'vitest'
import * as z from 'zod'

const ROOT = join(import.meta.dirname, '..', '..', '..')

const Ready = z.object({ url: z.string() })

let dataDir: string

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'holdfast-npm-start-'))
})

afterEach(async () => {
  await rm(dataDir, { recursive: true })
})

test('[CLI13] SIGTERM to npm start ends the server, and npm when the server has ended', async () => {
  const args = ['start', '--', '--json', '--no-open', '--no-detect', '--port', '0', '--data-dir', dataDir]
  const npm = spawn('npm', args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'], detached: true })
  const ended = new Promise<number | null>((resolve) => npm.on('exit', resolve))
  try {
    const url = await readyAt(npm.stdout)
    expect((await fetch(url)).status).toBeLessThan(500)
    npm.kill('SIGTERM')
    expect(await ended).toBe(0)
    await expect(fetch(url)).rejects.toThrow('fetch failed')
  } finally {
    endGroup(npm.pid)
  }
}, 180_000)

test('[PACK30] nothing is compiled by the installation: who has no compiler has all', async () => {
  await expect(access(join(ROOT, 'node_modules', 'better-sqlite3', 'prebuilds'))).resolves.toBeUndefined()
  await expect(access(join(ROOT, 'node_modules', 'better-sqlite3', 'build'))).rejects.toThrow('ENOENT')
})

/** What a failed test leaves: npm, its shell and the server are one group. */
function endGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

/** npm says what it runs before the program says where it listens. */
function readyAt(output: NodeJS.ReadableStream): Promise<string> {
  return new Promise((resolve, reject) => {
    const lines = createInterface({ input: output })
    lines.on('line', (line) => {
      if (line.startsWith('{')) resolve(Ready.parse(JSON.parse(line)).url)
    })
    lines.on('close', () => reject(new Error('npm start ended before it was ready')))
  })
}
