import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { ATTACKS, SECRET, WAYS_OUT, type WantedCall } from './attack-texts.ts'
import { obey } from './obedient-engine.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'injections-')))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** How the words of strangers come in. */
const CARRIERS: readonly WantedCall[] = [
  { tool: 'fetch_page', input: { url: 'https://example.com/prices' } },
  { tool: 'shell', input: { command: 'curl -s https://example.com/prices' } },
  { tool: 'mail__send', input: { to: 'me' } },
]

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

  it('[PERM7] plays 100 of them, each another text', () => {
    expect(new Set(ATTACKS.map(({ text }) => text)).size).toBe(100)
  })

  it.each(WAYS_OUT)('[PERM7] would send it where no stranger has been read: $tool', async (wanted) => {
    const { given } = await obey(folder, { carrier: null, text: '', wanted })
    expect(given.join()).toContain(SECRET)
  })
})
