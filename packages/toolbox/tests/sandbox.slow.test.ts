import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { findMachine, type Machine, usualBounds } from '@holdfast/toolbox'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { systemClock } from './support/system-clock.ts'
import { testTool } from './support/test-tool.ts'
import { openWorkbench, PLAIN_MACHINE, SECRET, type Workbench } from './support/workbench.ts'

const bwrap = testTool('HOLDFAST_BWRAP')
const signal = new AbortController().signal

const NOTHING = { readable: [], links: [], hiddenFolders: [] }

function machineWith(network: 'host' | 'none', searchPath = `${dirname(bwrap)}:/usr/bin:/bin`): Promise<Machine> {
  const environment = { ...PLAIN_MACHINE.environment, PATH: searchPath }
  const settings = { network, groupNotes: null, visible: NOTHING, bounds: usualBounds() }
  return findMachine({ environment, owner: 'tests', register: null, ...settings, clock: systemClock, signal })
}

let machine: Machine
let bench: Workbench
beforeAll(async () => {
  machine = await machineWith('none')
})
beforeEach(async () => {
  bench = await openWorkbench({ machine })
})
afterEach(() => bench.close())

describe('a sandboxed shell', () => {
  it('[WS2] says so, and says why where there is none', async () => {
    expect(bench.own.describe()).toContain('Commands run sandboxed (bubblewrap)')
    const without = await machineWith('none', '/nonexistent')
    expect(without.sandbox).toEqual({ type: 'none', reason: 'bubblewrap (bwrap) is not installed' })
    bench.put('bin/bwrap', '#!/bin/sh\necho no namespaces here >&2\nexit 1\n')
    chmodSync(join(bench.root, 'bin/bwrap'), 0o755)
    const broken = await machineWith('none', `${join(bench.root, 'bin')}:/usr/bin:/bin`)
    expect(broken.sandbox).toEqual({
      type: 'none',
      reason: 'bubblewrap is installed and does not work here: no namespaces here',
    })
  })

  it('[WS2] works in the workspace and neither reads nor writes outside', async () => {
    const commands = [
      `cat ${bench.outside}/secret.txt`,
      `echo broken > ${bench.outside}/made.txt`,
      'cat ../outside/secret.txt',
      `ln -s ${bench.outside} out; cat out/secret.txt`,
      `cat /proc/1/root${bench.outside}/secret.txt`,
      'cat /etc/shadow',
      'ls /root /home',
      'echo broken > /usr/bin/broken',
    ]
    for (const command of commands) {
      const text = await bench.say('shell', { command })
      expect(text, command).toContain('error: The command ended with exit code')
      expect(text, command).not.toContain(SECRET)
    }
    expect(existsSync(join(bench.outside, 'made.txt'))).toBe(false)
    expect(
      await bench.say('shell', { command: 'echo hi > made.txt && cat made.txt; echo tmp > /tmp/x; pwd' }),
    ).toContain(`hi\n${bench.root}\n`)
    expect(readFileSync(join(bench.root, 'made.txt'), 'utf8')).toBe('hi\n')
    expect(existsSync('/tmp/x')).toBe(false)
  })

  it('[WS2] cannot change what git runs later, also where that is not there yet', async () => {
    mkdirSync(join(bench.root, '.git'))
    writeFileSync(join(bench.root, '.git/config'), '[core]\n')
    await bench.say('shell', {
      command: 'mkdir -p .git/hooks; echo evil > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit',
    })
    await bench.say('shell', { command: 'echo evil >> .git/config' })
    await bench.say('shell', { command: 'mv .git/config .git/c2; rm -rf .git/config' })
    expect(existsSync(join(bench.root, '.git/hooks/pre-commit'))).toBe(false)
    expect(readFileSync(join(bench.root, '.git/config'), 'utf8')).toBe('[core]\n')
    expect(await bench.say('shell', { command: 'echo x > .git/index && cat .git/index' })).toContain('ok:')
  })

  it('[WS2] reaches the network only where it is shared', async () => {
    const server = createServer((socket) => socket.end('hello from outside'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = typeof address === 'object' && address ? address.port : 0
    const command = `exec 3<>/dev/tcp/127.0.0.1/${port} && cat <&3`
    expect(await bench.say('shell', { command })).toContain('error:')
    const shared = await openWorkbench({ machine: await machineWith('host') })
    expect(await shared.say('shell', { command })).toContain('hello from outside')
    await shared.close()
    server.close()
  })

  it('[WS2] ends with everything, also what hides in a session of its own without an environment', async () => {
    const beat = join(bench.root, 'beat')
    await bench.say('shell', {
      command:
        'setsid env -i /bin/bash -c "while true; do echo x >> beat; sleep 0.05; done" > /dev/null 2>&1 & while [ ! -s beat ]; do sleep 0.05; done',
    })
    // Gone if a file that it writes 20 times a second, once removed, is not there again.
    rmSync(beat)
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(existsSync(beat)).toBe(false)
    await bench.say('shell', { command: 'while true; do echo x >> beat; sleep 0.05; done', background: true })
    await vi.waitFor(() => expect(existsSync(beat)).toBe(true), 10_000)
    await bench.own.close()
    rmSync(beat)
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(existsSync(beat)).toBe(false)
  })
})
