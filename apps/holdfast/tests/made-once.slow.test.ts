import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

it('[CLI2] a secret is made once also on a disk that gives no file a second name', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-made-once-'))
  const path = join(folder, 'token')
  const program = join(import.meta.dirname, 'support/make-once.ts')
  const run = async (): Promise<string> => {
    const { stdout } = await promisify(execFile)(
      process.env['HOLDFAST_STRACE'] ?? 'strace',
      [
        ...['-f', '-o', '/dev/null', '-e', 'trace=?link,linkat', '-e', 'inject=?link,linkat:error=EPERM'],
        ...[process.execPath, '--conditions=@holdfast/source', program, path],
      ],
      { timeout: 60_000 },
    )
    return stdout.trim()
  }
  try {
    const texts = await Promise.all([run(), run(), run()])
    const text = (await readFile(path, 'utf8')).trim()
    expect(text).toMatch(/^text of \d+$/)
    expect(new Set(texts)).toEqual(new Set([text]))
    expect(await readdir(folder)).toEqual(['token'])
  } finally {
    await rm(folder, { recursive: true })
  }
})
