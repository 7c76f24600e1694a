import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Program, startProgram } from './support/program.ts'
import { runCommand } from './support/run-command.ts'

vi.setConfig({ testTimeout: 180_000 })

const KEYS = { HOLDFAST_BUCKET_KEY_ID: 'S3RVER', HOLDFAST_BUCKET_SECRET_KEY: 'S3RVER' }

let base: string
let server: S3rver
let program: Program | null = null

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'holdfast-care-'))
  server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: join(base, 'bucket'),
    configureBuckets: [{ name: 'files' }],
  })
})

afterEach(async () => {
  await program?.stop()
  program = null
  await rm(base, { recursive: true })
})

test('[LOG36] what looks after a store knows its bucket: doctor, backup, restore and usage; a move brings the files', async () => {
  const { port } = await server.run()
  const config = join(base, 'holdfast.json')
  const bucket = { name: 'files', endpoint: `http://127.0.0.1:${port}`, region: 'us-east-1', prefix: 'holdfast/' }
  await writeFile(config, JSON.stringify({ bucket }))
  const dataDir = join(base, 'data')
  const variables = { ...KEYS, HOLDFAST_CONFIG: config }
  const command = (folder: string, given: Readonly<Record<string, string>>, ...args: readonly string[]) =>
    runCommand([...args, '--data-dir', folder], '', given).ended

  program = await startProgram(dataDir, variables)
  const form = new FormData()
  form.append('file', new Blob(['words of a file'], { type: 'text/plain' }), 'words.txt')
  const sent = await fetch(`${program.url}/api/v1/attachments`, {
    method: 'POST',
    headers: { authorization: `Bearer ${program.token}` },
    body: form,
  })
  expect(sent.ok, await sent.text()).toBe(true)
  await program.stop()
  program = null

  const looked = await command(dataDir, variables, 'doctor', '--no-detect')
  expect(looked.stdout).toMatch(/✓ bucket +Bucket "files" at 127\.0\.0\.1:\d+ holds/)
  const saved = await command(dataDir, variables, 'backup', join(base, 'saved.sqlite'))
  expect(saved).toMatchObject({ code: 0 })
  const moved = await runCommand(['move', '--from', dataDir, '--to', join(base, 'moved'), '--json'], '', variables)
    .ended
  expect(moved, moved.stderr).toMatchObject({ code: 0 })
  expect(JSON.parse(moved.stdout)).toMatchObject({ blobs: 1, uploads: 1 })
  const again = await runCommand(['move', '--from', dataDir, '--to', join(base, 'moved')], '', variables).ended
  expect(again).toMatchObject({ code: 1 })
  expect(again.stderr).toMatch(/holds a store already.*\(E_STORE_EXISTS\)\n$/)
  await server.close()

  const away = await command(dataDir, variables, 'doctor', '--no-detect')
  expect(away.code).toBe(1)
  expect(away.stdout).toMatch(/✕ bucket +Bucket "files" at 127\.0\.0\.1:\d+ cannot be reached/)
  expect(await command(dataDir, variables, 'usage')).toMatchObject({ code: 0 })
  const restored = join(base, 'restored')
  expect(await command(restored, {}, 'restore', join(base, 'saved.sqlite'))).toMatchObject({ code: 0 })
  const whole = await runCommand(['move', '--from', restored, '--to', join(base, 'again')], '', {}).ended
  expect(whole, whole.stderr).toMatchObject({ code: 0 })
  const none = await command(dataDir, {}, 'db', 'check')
  expect(none.code).toBe(1)
  expect(none.stderr).toContain('is in a bucket, and none is set up')
})
