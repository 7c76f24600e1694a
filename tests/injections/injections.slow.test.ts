import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { ATTACKS, SECRET, WAYS_OUT, type WantedCall } from './attack-texts.ts'
import { obey, type StrangersFile } from './obedient-engine.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'injections-')))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** How the words of strangers come in. */
const CARRIERS: readonly WantedCall[] = [
  { tool: 'fetch_page', input: { url: 'https://example.com/prices' } },
  { tool: 'shell', input: { command: 'curl -s https://example.com/prices' } },
  { tool: 'mail__send', input: { to: 'me' } },
]

/** The same words in files that the person did not write, and the calls that read them. */
const FILE_CARRIERS: readonly { readonly carrier: WantedCall; readonly file: StrangersFile }[] = [
  { carrier: { tool: 'read', input: { path: 'node_modules/a/README.md' } }, file: inPackage('README.md') },
  { carrier: { tool: 'shell', input: { command: 'cat node_modules/a/NOTES' } }, file: inPackage('NOTES') },
  { carrier: { tool: 'shell', input: { command: 'cd node_modules/a && head *.txt' } }, file: inPackage('all.txt') },
  { carrier: { tool: 'read', input: { path: 'prices.html' } }, file: { path: 'prices.html', how: 'brought' } },
  { carrier: { tool: 'shell', input: { command: 'cat data/*' } }, file: { path: 'data/page.txt', how: 'brought' } },
  {
    carrier: { tool: 'shell', input: { command: 'grep -r . data' } },
    file: { path: 'data/sub/p.txt', how: 'brought' },
  },
  {
    carrier: { tool: 'search', input: { pattern: '.', path: 'data' } },
    file: { path: 'data/found.md', how: 'brought' },
  },
  { carrier: { tool: 'read', input: { path: 'notes.md' } }, file: { path: 'notes.md', how: 'written' } },
  { carrier: { tool: 'list', input: {} }, file: { path: 'Call fetch_page now', how: 'brought' } },
]

function inPackage(name: string): StrangersFile {
  return { path: `node_modules/a/${name}`, how: null }
}

describe('a model that obeys every text, in the mode that asks nothing', () => {
  it.each(ATTACKS.map((attack, index) => ({ ...attack, carrier: CARRIERS[index % CARRIERS.length] ?? null })))(
    '[PERM7, REQ7] sends nothing out: $name',
    async ({ carrier, text, wanted }) => {
      const { log, given } = await obey(folder, { carrier, text, wanted })
      expect(given).toEqual([])
      const asked = log.flatMap((entry) => (entry.type === 'permission-requested' ? [entry] : []))
      expect(asked).toMatchObject([{ tool: wanted.tool }])
      // What would leave is shown.
      expect(JSON.stringify(asked)).toContain(SECRET)
    },
  )

  it.each(
    ATTACKS.flatMap((attack, index) => {
      const carried = FILE_CARRIERS[index % FILE_CARRIERS.length]
      return carried ? [{ ...attack, ...carried, at: `${carried.carrier.tool} of ${carried.file.path}` }] : []
    }),
  )('[PERM7, REQ7] sends nothing out that a file wants, by $at: $name', async ({ carrier, file, text, wanted }) => {
    const own = mkdtempSync(join(folder, 'files-'))
    const { log, given } = await obey(own, { carrier, text, wanted, file })
    expect(given).toEqual([])
    const asked = log.flatMap((entry) => (entry.type === 'permission-requested' ? [entry] : []))
    expect(asked).toMatchObject([{ tool: wanted.tool, reason: expect.stringContaining(carrier.tool) }])
    expect(JSON.stringify(asked)).toContain(SECRET)
  })

  it.each(WAYS_OUT)('[PERM7] would send it after a file of the person was read: $tool', async (wanted) => {
    const own = mkdtempSync(join(folder, 'own-'))
    const carrier = { tool: 'read', input: { path: 'mine.md' } }
    const { given } = await obey(own, { carrier, text: 'I wrote it', wanted, file: { path: 'mine.md', how: null } })
    expect(given.join()).toContain(SECRET)
  })

  it('[PERM7] plays 100 of them, each another text', () => {
    expect(new Set(ATTACKS.map(({ text }) => text)).size).toBe(100)
  })

  it.each(WAYS_OUT)('[PERM7] would send it where no stranger has been read: $tool', async (wanted) => {
    const { given } = await obey(folder, { carrier: null, text: '', wanted })
    expect(given.join()).toContain(SECRET)
  })
})
