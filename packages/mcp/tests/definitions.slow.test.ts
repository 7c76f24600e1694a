import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@holdfast/engine/system'
import { describe, expect, it, onTestFinished } from 'vitest'
import { hostileReach, knownPins, openServer, textOf, untilConnected } from './support/open-server.ts'

function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-mcp-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

describe('definitions of a server count as they were accepted', () => {
  it.each([
    ['changes-description', 'tool-changed'],
    ['changes-schema', 'tool-changed'],
    ['changes-annotations', 'tool-changed'],
  ])(
    '[TOOL9] %s: the change is shown, calls are refused, the old words stay until it is accepted',
    async (fault, type) => {
      const open = openServer(hostileReach(fault))
      await untilConnected(open)
      const before = open.definition('work')
      expect((await open.call('work', {})).outcome).toBe('ok')
      await expect.poll(() => open.server.status().changes).toMatchObject([{ type, name: 'work' }])
      const refused = await open.call('work', {})
      expect(refused.outcome).toBe('error')
      expect(textOf(refused)).toMatch(/changed the definition of work.*accept it.*did not run/)
      expect(open.definition('work')).toEqual(before)
      expect(await open.server.acceptChanges('another')).toBe(false)
      expect(open.server.status().changes).toHaveLength(1)
      expect(await open.server.acceptChanges(open.server.status().offerHash ?? '')).toBe(true)
      expect(open.server.status().changes).toEqual([])
      expect(open.definition('work')).not.toEqual(before)
      expect(textOf(await open.call('work', {}))).toBe('done 2')
    },
  )

  it('[TOOL9] a tool that is added later is not offered until it is accepted', async () => {
    const open = openServer(hostileReach('adds-tool'))
    await untilConnected(open)
    await open.call('work', {})
    await expect.poll(() => open.server.status().changes).toMatchObject([{ type: 'tool-added', name: 'second' }])
    expect(open.definition('second')).toBeUndefined()
    expect((await open.call('work', {})).outcome).toBe('ok')
    await open.server.acceptChanges(open.server.status().offerHash ?? '')
    expect(open.definition('second')).toBeDefined()
  })

  it('[TOOL9] a tool that is gone stays in the list and says so when it is called', async () => {
    const open = openServer(hostileReach('removes-tool'))
    await untilConnected(open)
    await open.call('work', {})
    await expect.poll(() => open.server.status().changes).toMatchObject([{ type: 'tool-removed', name: 'work' }])
    expect(textOf(await open.call('work', {}))).toMatch(/no longer has the tool work/)
    expect(open.definition('work')).toBeDefined()
  })

  it('[TOOL9] a change while nobody looked is found at the next start', async () => {
    const open = openServer(hostileReach('hidden-tag'), { pins: knownPins() })
    await untilConnected(open)
    expect(open.server.status().changes).toEqual([])
    const other = openServer(hostileReach('claims'), { pins: knownPins() })
    await untilConnected(other)
    expect(other.server.status().changes).toMatchObject([{ type: 'tool-changed', name: 'work' }])
  })

  it.each([
    ['hidden-tag', 'poison', 'U+E0041'],
    ['hidden-width', 'poison', 'U+200B'],
    ['hidden-direction', 'poison', 'U+202E'],
    ['hidden-name', 'wo?rk', 'U+200B'],
  ])(
    '[REQ7] %s: a definition with characters that nobody sees is refused, the others are taken',
    async (fault, name, code) => {
      const open = openServer(hostileReach(fault))
      await untilConnected(open)
      expect(open.server.definitions().map((definition) => definition.name)).toEqual(['probe__work'])
      expect(open.server.status().refused).toMatchObject([{ name, reason: expect.stringContaining(code) }])
    },
  )

  it('[TOOL9] of 12,000 tools 10,000 are taken, and the rest is said', async () => {
    const open = openServer(hostileReach('many-tools'))
    await untilConnected(open)
    expect(open.server.status()).toMatchObject({ toolCount: 10_000, refused: [{ name: '2000 more' }] })
    expect(textOf(await open.call('tool-9999', {}))).toBe('tool-9999 done')
  })

  it('[TOOL9] instructions are passed on, unless they hold what nobody sees', async () => {
    const open = openServer(hostileReach('instructions'))
    const hidden = openServer(hostileReach('hidden-instructions'))
    await Promise.all([open, hidden].map(untilConnected))
    expect(open.server.status().instructions).toBe('Say please.')
    expect(hidden.server.status().instructions).toBeNull()
    expect(hidden.server.logs().at(-1)?.text).toContain('U+E0050')
  })

  it('[PERM1] what a server says of its tools is a claim, and nothing of our own', async () => {
    const open = openServer(hostileReach('claims'))
    await untilConnected(open)
    expect(open.definition('work')).toMatchObject({
      category: 'other',
      source: 'probe',
      claims: { annotations: { readOnly: true, destructive: false, openWorld: false } },
    })
    expect(open.definition('work')?.annotations).toBeUndefined()
  })

  it('[SEC4] the server gets no variable of ours that it was not given, and its own are hidden in its log', async () => {
    const open = openServer(hostileReach('prints-secret', '', { SERVER_KEY: 'sesame-12345' }))
    await untilConnected(open)
    const text = open.server
      .logs()
      .map((line) => line.text)
      .join('\n')
    expect(text).toContain('key [hidden] and undefined')
    expect(JSON.stringify(open.server.status())).not.toContain('sesame')
  })
})

describe('a server is kept connected', () => {
  it('[TOOL9] one that died is tried again after a second, and its tools stay listed meanwhile', async () => {
    const marker = join(scratch(), 'died')
    const open = openServer(hostileReach('dies-once', marker), { pins: knownPins() })
    await expect.poll(() => open.server.status().state.type, { interval: 5 }).toBe('waiting')
    expect(existsSync(marker)).toBe(true)
    expect(open.server.definitions()).toHaveLength(1)
    // The call waits for the server instead of failing.
    expect(textOf(await open.call('work', {}))).toBe('work done')
    expect(open.server.status()).toMatchObject({ failures: 1, lastError: { text: expect.any(String) } })
  })

  it('[TOOL9] turned off it ends, says so to a call, and comes back when it is turned on', async () => {
    const open = openServer(hostileReach('none'))
    await untilConnected(open)
    open.server.setOn(false)
    await expect.poll(() => open.server.status().state.type).toBe('off')
    expect(open.groups.size).toBe(0)
    expect(textOf(await open.call('work', {}))).toMatch(/turned off/)
    open.server.setOn(true)
    expect(textOf(await open.call('work', {}))).toBe('work done')
  })

  it('[TOOL9] restarted by hand it is another process at once', async () => {
    const open = openServer(hostileReach('none'))
    await untilConnected(open)
    const [before] = open.groups
    open.server.restart()
    await expect.poll(() => [...open.groups].filter((group) => group !== before)).toHaveLength(1)
    await untilConnected(open)
    expect(open.server.status().failures).toBe(0)
  })

  it('[STOP2] a stop cancels the call at the server, and the call ends', async () => {
    const open = openServer(hostileReach('hangs'))
    await untilConnected(open)
    const stop = new AbortController()
    const result = open.call('work', {}, { signal: stop.signal })
    await expect.poll(() => open.server.status().runningCalls).toBe(1)
    stop.abort()
    expect((await result).outcome).toBe('aborted')
    const said = () => open.server.logs().map(({ text }) => text)
    await expect.poll(said).toEqual([expect.stringMatching(/^cancelled \d+$/), 'asked whether it is there'])
    expect(open.server.status()).toMatchObject({ state: { type: 'connected' }, runningCalls: 0, failures: 0 })
  })

  it('[STOP2, STOP3] a server that hangs in a call that was cancelled is replaced, and the next call works', async () => {
    const soon = { ...systemClock, after: (delayMs: number, run: () => void) => systemClock.after(delayMs / 5, run) }
    const open = openServer(hostileReach('blocks-once', join(scratch(), 'blocked')), { clock: soon })
    await untilConnected(open)
    const [hanging] = open.groups
    const stop = new AbortController()
    const result = open.call('work', {}, { signal: stop.signal })
    await expect.poll(() => open.server.status().runningCalls).toBe(1)
    stop.abort()
    expect((await result).outcome).toBe('aborted')
    await expect.poll(() => [...open.groups], { timeout: 20_000 }).not.toContain(hanging)
    await untilConnected(open)
    expect(textOf(await open.call('work', {}))).toBe('done by another')
    expect(open.server.logs().map(({ text }) => text)).toContain(
      'It does not answer after a call was cancelled, and is replaced',
    )
  })

  it('[TOOL3] progress is shown, and a call that is heard of is not one that fell silent', async () => {
    const open = openServer(hostileReach('progress'), { settings: { silenceMs: 1_000 } })
    await untilConnected(open)
    const heard: string[] = []
    const result = await open.call('work', {}, { onProgress: (message) => heard.push(message) })
    expect(textOf(result)).toBe('done')
    expect(heard).toEqual(['1/10', '5/10', '10/10'])
    const silent = openServer(hostileReach('hangs'), { settings: { silenceMs: 300 } })
    await untilConnected(silent)
    expect(textOf(await silent.call('work', {}))).toMatch(/said nothing for 300 ms/)
  })
})
