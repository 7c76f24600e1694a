import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { findProgram } from '../src/shell/find-program.ts'
import { createOutputLog } from '../src/shell/output-log.ts'
import { callTool, openWorkbench, PLAIN_MACHINE, type Workbench } from './support/workbench.ts'

let bench: Workbench
beforeEach(async () => {
  bench = await openWorkbench()
})
afterEach(() => bench.close())

/** Whether a process is there and is not one that has ended and waits to be fetched. */
function isAlive(pid: number): boolean {
  const path = `/proc/${pid}/stat`
  return existsSync(path) && !/\) [ZX] /.test(readFileSync(path, 'utf8'))
}

async function pidIn(name: string): Promise<number> {
  return vi.waitFor(() => {
    const pid = Number(readFileSync(join(bench.root, name), 'utf8').trim())
    expect(pid).toBeGreaterThan(0)
    return pid
  }, 10_000)
}

describe('the shell', () => {
  it('[WS2] runs in the workspace or a folder of it, and tells the exit code and both outputs in their order', async () => {
    mkdirSync(join(bench.root, 'sub'))
    expect(await bench.say('shell', { command: 'pwd' })).toBe(
      `ok: The command ended with exit code 0.\nOutput:\n${bench.root}\n`,
    )
    expect(await bench.say('shell', { command: 'pwd', folder: 'sub' })).toContain(`${bench.root}/sub`)
    expect(
      await bench.say('shell', { command: 'echo one; sleep 0.2; echo two >&2; sleep 0.2; echo three; exit 7' }),
    ).toBe('error: The command ended with exit code 7.\nOutput:\none\ntwo\nthree\n')
    expect(await bench.say('shell', { command: 'true' })).toContain('It printed nothing.')
    expect(await bench.say('shell', { command: 'kill -9 $$' })).toContain('error: The command was ended by SIGKILL')
  })

  it('[WS2, SEC4] keeps the secrets of the server from its commands', async () => {
    const environment = {
      ...PLAIN_MACHINE.environment,
      ANTHROPIC_API_KEY: 'sk-canary',
      HOLDFAST_DATABASE_URL: 'canary',
      NODE_OPTIONS: '--canary',
    }
    const other = await openWorkbench({ machine: { ...PLAIN_MACHINE, environment } })
    const text = await other.say('shell', { command: 'env; cat /proc/self/environ' })
    await other.close()
    expect(text).toContain('PATH=')
    expect(text).not.toContain('canary')
  })

  it('[WS2] ends with its children at the time limit, and tells what they had said', async () => {
    const text = await bench.say('shell', {
      command: 'echo begun; sleep 300 & echo $! > child; wait',
      timeout_ms: 1_500,
    })
    expect(text).toContain('error: The command timed out after 1500 ms')
    expect(text).toContain('begun')
    expect(isAlive(await pidIn('child'))).toBe(false)
  })

  it('[STOP2, WS2] ends with its children at a stop', async () => {
    const stop = new AbortController()
    const call = bench.call('shell', { command: 'sleep 300 & echo $! > child; wait' }, stop.signal)
    const pid = await pidIn('child')
    stop.abort()
    expect((await call).outcome).toBe('aborted')
    expect(isAlive(pid)).toBe(false)
  })

  it('[WS2] ends what left the group by a session of its own', async () => {
    await bench.say('shell', {
      command:
        'setsid bash -c "echo \\$\\$ > runaway; exec sleep 300" < /dev/null > /dev/null 2>&1 & while [ ! -s runaway ]; do sleep 0.05; done',
    })
    expect(isAlive(await pidIn('runaway'))).toBe(false)
  })

  it('[WS2, TOOL5] bounds what a command prints, with its head and tail', async () => {
    const text = await bench.say('shell', { command: 'echo first; yes | head -c 20000000; echo last' })
    expect(text.length).toBeLessThan(50_000)
    expect(text).toContain('first')
    expect(text).toContain('last')
    expect(text).toMatch(/\d+ of 200000\d\d bytes are left out/)
  })

  it('[WS2] shows the output while it comes', async () => {
    const progress: string[] = []
    await callTool(
      bench.tool('shell'),
      { command: 'echo step 1; sleep 0.5; echo step 2' },
      { onProgress: (message) => progress.push(message) },
    )
    expect(progress).toEqual(['step 1', 'step 2'])
  })

  it('[WS2] says whether its commands are sandboxed', () => {
    expect(bench.own.describe()).toContain('NOT sandboxed: this test uses none')
    expect(bench.tool('shell').definition.description).toContain('NOT sandboxed')
  })

  it('[WS1] starts in no folder outside', async () => {
    symlinkSync(bench.outside, join(bench.root, 'link'))
    for (const folder of ['..', 'link', bench.outside]) {
      expect(await bench.say('shell', { command: 'cat secret.txt', folder })).toContain('outside the workspace')
    }
  })
})

describe('background processes', () => {
  it('[WS2] go on after their call, with state and output, until they are stopped', async () => {
    const started = await bench.say('shell', { command: 'echo hello; echo $$ > pid; sleep 300', background: true })
    expect(started).toBe('ok: process-1 runs in the background. Its output until byte 6:\nhello\n')
    const pid = await pidIn('pid')
    expect(isAlive(pid)).toBe(true)
    expect(await bench.say('process_output', {})).toMatch(/^ok: process-1: running, \d+ s\. Command: "echo hello/)
    expect(await bench.say('process_output', { process_id: 'process-1', from_byte: 6 })).toContain('Nothing new.')
    expect(await bench.say('process_stop', { process_id: 'process-1' })).toMatch(/^ok: Stopped: process-1: was ended/)
    expect(isAlive(pid)).toBe(false)
    expect(await bench.say('process_stop', { process_id: 'process-1' })).toContain('Was over already')
    expect(await bench.say('process_output', { process_id: 'process-9' })).toBe(
      'error: There is no process-9. Known: process-1.',
    )
  })

  it('[WS2] that fail at once are reported by the call that starts them', async () => {
    expect(await bench.say('shell', { command: 'echo no such thing; exit 3', background: true })).toBe(
      'error: process-1 is over already: it ended with exit code 3. Its output until byte 14:\nno such thing\n',
    )
  })

  it('[WS2] are limited in number', async () => {
    const sleeping = { command: 'sleep 300', background: true }
    await Promise.all(Array.from({ length: 16 }, () => bench.say('shell', sleeping)))
    expect(await bench.say('shell', { command: 'sleep 300', background: true })).toContain(
      '16 background processes run already',
    )
  })

  it('[WS2] do not outlive their owner, and none starts after it', async () => {
    await bench.say('shell', {
      command: 'trap "" TERM; echo $$ > stubborn; while true; do sleep 1; done',
      background: true,
    })
    await bench.say('shell', {
      command: 'setsid bash -c "echo \\$\\$ > runaway; exec sleep 300" & sleep 300',
      background: true,
    })
    const pids = [await pidIn('stubborn'), await pidIn('runaway')]
    await bench.own.close()
    expect(pids.map(isAlive)).toEqual([false, false])
    expect(await bench.say('shell', { command: 'sleep 300', background: true })).toContain('Not started')
  })
})

describe('an output log', () => {
  it('[TOOL5] keeps the last bytes, knows the place of each, and says what is gone', () => {
    const log = createOutputLog(10)
    for (const text of ['abcd', 'efgh', 'ijkl', 'mnop']) log.add(Buffer.from(text))
    expect(log.read(0)).toEqual({ text: 'ghijklmnop', fromByte: 6, nextByte: 16 })
    expect(log.read(14)).toEqual({ text: 'op', fromByte: 14, nextByte: 16 })
    expect(log.read(99)).toEqual({ text: '', fromByte: 16, nextByte: 16 })
    log.add(Buffer.from('0123456789ABCDEF'))
    expect(log.read(16)).toEqual({ text: '6789ABCDEF', fromByte: 22, nextByte: 32 })
  })
})

describe('a search path', () => {
  it('[WS2] gives programs from absolute folders only', async () => {
    bench.put('bin/tool', '')
    expect(await findProgram('sh', '/nonexistent:/bin')).toBe('/bin/sh')
    expect(await findProgram('tool', join(bench.root, 'bin'))).toBeNull()
    expect(await findProgram('sh', '.:bin')).toBeNull()
  })
})
