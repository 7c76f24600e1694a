import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSeal } from '@holdfast/server'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSignInStore } from '../src/mcp/kept-sign-ins.ts'

const state = { tokens: { access_token: 'canary-token', refresh_token: 'canary-refresh' } }
const key = new Uint8Array(32).fill(7)

let dataDir = ''
let folder = ''
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'holdfast-sign-ins-'))
  folder = join(dataDir, 'mcp-sign-ins')
})
afterEach(() => rmSync(dataDir, { recursive: true }))

function open(secret = key) {
  return createSignInStore({ dataDir, seal: createSeal(secret, 'mcp-sign-ins') })
}

function filesOf(): readonly string[] {
  return readdirSync(folder)
}

describe('the sign-in with a server', () => {
  it('[SEC4] is read again with the key, and stands nowhere in the open', async () => {
    await open().write('tracker', state)
    expect(await open().read('tracker')).toEqual(state)
    const [name = ''] = filesOf()
    expect(name).not.toContain('tracker')
    expect(readFileSync(join(folder, name), 'utf8')).not.toContain('canary')
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(await open().read('other')).toBeNull()
  })

  it('[SEC4] opens with no other key, and is removed then', async () => {
    await open().write('tracker', state)
    expect(await open(new Uint8Array(32).fill(8)).read('tracker')).toBeNull()
    expect(filesOf()).toEqual([])
  })

  it('[SEC4] opens for no other server: a file that was moved to its place is not taken', async () => {
    await open().write('tracker', state)
    const [tracker = ''] = filesOf()
    await open().write('files', state)
    const files = filesOf().find((name) => name !== tracker) ?? ''
    renameSync(join(folder, tracker), join(folder, files))
    expect(await open().read('files')).toBeNull()
  })

  it('[SEC4] that was never sealed is not taken', async () => {
    await open().write('tracker', state)
    const [name = ''] = filesOf()
    writeFileSync(join(folder, name), JSON.stringify(state))
    expect(await open().read('tracker')).toBeNull()
    expect(filesOf()).toEqual([])
  })
})
