import { API_PATH, ImportAnswer } from '@holdfast/protocol'
import { afterEach, describe, expect, it } from 'vitest'
import { createStorage } from '../src/parts/storage.ts'
import { STORAGE_LIMITS, type StorageLimits } from '../src/parts/storage-limits.ts'
import { claudeLog } from './support/claude-log.ts'
import { type Served, serve, TOKEN } from './support/serve.ts'
import { zipOf } from './support/zip-of.ts'

const GIB = 1_024 ** 3
const bearer = { authorization: `Bearer ${TOKEN}` }

let served: Served | null = null

afterEach(async () => {
  await served?.close()
  served = null
})

function limitsWith(changed: Partial<StorageLimits>): StorageLimits {
  return Object.assign({}, STORAGE_LIMITS, changed)
}

async function upload({ url }: Served, content: string) {
  const form = new FormData()
  form.append('file', new Blob([content]), 'a.txt')
  const answer = await fetch(`${url + API_PATH}/attachments`, { method: 'POST', headers: bearer, body: form })
  const body = (await answer.json()) as { readonly code?: string; readonly detail?: string }
  return { status: answer.status, body }
}

async function sendImport({ url }: Served, content: string | Uint8Array<ArrayBuffer>) {
  return fetch(`${url}${API_PATH}/import?name=a`, {
    method: 'POST',
    headers: { authorization: bearer.authorization, 'content-type': 'application/octet-stream' },
    body: content,
  })
}

/** Imports a file and waits for its end. */
async function imported(there: Served, content: Uint8Array<ArrayBuffer>): Promise<ImportAnswer> {
  const { id } = ImportAnswer.parse(await (await sendImport(there, content)).json())
  return ImportAnswer.parse((await there.call('GET', `${API_PATH}/imports/${id}?waitMs=10000`)).body)
}

describe('the room for what users send', () => {
  it('[SEC16] refuses the eleventh gibibyte of a user and the next of all, and counts what is on its way', async () => {
    const stored = { ofOwner: 9 * GIB, inAll: 98 * GIB }
    const store = { storedBytes: async () => stored }
    const storage = createStorage({ store, limits: STORAGE_LIMITS, freeBytes: null })
    const first = await storage.reserve('user_1')
    await first.grow(GIB)
    await expect(first.grow(1)).rejects.toMatchObject({ status: 507, code: 'storage-full' })
    await expect(storage.reserve('user_1')).rejects.toThrow('Your files may take 10 GiB in all')
    const other = await storage.reserve('user_2')
    await expect(other.grow(GIB)).rejects.toThrow('The files of all users may take 100 GiB')
    other.end()
    first.end()
    await (await storage.reserve('user_1')).grow(GIB)
  })

  it('[SEC16] leaves so much of the disk free, and asks it again while a file comes', async () => {
    let free = 2 * GIB
    const store = { storedBytes: async () => ({ ofOwner: 0, inAll: 0 }) }
    const storage = createStorage({ store, limits: STORAGE_LIMITS, freeBytes: async () => free })
    const reservation = await storage.reserve('user_1')
    await reservation.grow(9 * 1_024 * 1_024)
    free = STORAGE_LIMITS.freeBytes - 1
    await expect(reservation.grow(9 * 1_024 * 1_024)).rejects.toMatchObject({ status: 507 })
    await expect(storage.reserve('user_1')).rejects.toThrow('512 MiB stay free')
  })

  it('[SEC16] refuses an upload for which there is no room in words, and takes it when there is some again', async () => {
    let free = GIB
    served = await serve({
      webRoot: null,
      storageLimits: limitsWith({ userBytes: 100 }),
      freeBytes: async () => free,
    })
    expect((await upload(served, 'x'.repeat(60))).status).toBe(201)
    const refused = await upload(served, 'y'.repeat(60))
    expect(refused).toMatchObject({ status: 507, body: { code: 'storage-full' } })
    expect(refused.body.detail).toContain('100 bytes')
    expect(await served.store.storedBytes('local')).toEqual({ ofOwner: 60, inAll: 60 })
    expect((await upload(served, 'y'.repeat(30))).status).toBe(201)
    free = 1
    expect((await upload(served, 'z')).status).toBe(507)
    expect((await sendImport(served, claudeLog('s', 1))).status).toBe(507)
    free = GIB
    expect((await upload(served, 'z')).status).toBe(201)
  })

  it('[SEC16] ends an import in words where its attachments find no room, and keeps what was whole before', async () => {
    served = await serve({ webRoot: null, storageLimits: limitsWith({ userBytes: 40_000 }) })
    const picture = { type: 'base64', media_type: 'image/png', data: Buffer.alloc(60_000, 7).toString('base64') }
    const second = claudeLog('t', 2).replace(
      '"content":"Question 0"',
      `"content":[${JSON.stringify({ type: 'image', source: picture })}]`,
    )
    const answer = await imported(served, zipOf({ 'one.jsonl': claudeLog('s', 2), 'two.jsonl': second }))
    expect(answer).toMatchObject({ state: 'failed', imported: 1 })
    expect(answer.problem).toContain('Your files may take 40000 bytes in all')
  })

  it('[SEC17] bounds a file to import as it is sent, unpacked, in files, in entries, and in how many wait', async () => {
    const log = claudeLog('s', 40)
    served = await serve({ webRoot: null, storageLimits: limitsWith({ importBytes: 1_000 }) })
    const tooLarge = await sendImport(served, log)
    expect([tooLarge.status, ((await tooLarge.json()) as { code: string }).code]).toEqual([413, 'too-large'])
    expect(await served.call('GET', `${API_PATH}/imports`)).toMatchObject({ body: { imports: [] } })
    await served.close()
    const archive = zipOf({ 'one.jsonl': log, 'two.jsonl': claudeLog('t', 40) })
    const bounds = [
      [{ importUnpackedBytes: log.length + 10 }, 'unpacks to more than'],
      [{ importFileCount: 1 }, 'holds more than 1 files'],
      [{ importEntryCount: 60 }, 'holds more than 60 entries'],
    ] as const
    for (const [changed, words] of bounds) {
      served = await serve({ webRoot: null, storageLimits: limitsWith(changed) })
      const answer = await imported(served, archive)
      expect(answer).toMatchObject({ state: 'failed' })
      expect(answer.problem).toContain(words)
      await served.close()
    }
    served = await serve({ webRoot: null, storageLimits: limitsWith({ importsOfUser: 0 }) })
    expect((await sendImport(served, log)).status).toBe(429)
  })
})
