import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { childEnvironment, endGroup, type ProcessRun, runProcess } from '@holdfast/tool/process'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createOutputKeeper } from '../src/process/kept-output.ts'
import { systemClock } from './support/system-clock.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'process-group-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function run(script: string, rest: Partial<ProcessRun> = {}) {
  return runProcess({
    program: '/bin/bash',
    args: ['-c', script],
    folder,
    environment: childEnvironment({ PATH: '/usr/bin:/bin' }, {}),
    signal: new AbortController().signal,
    graceMs: 300,
    outputLimitBytes: 10_000,
    clock: systemClock,
    ...rest,
  })
}

/** Whether a process is there and is not one that has ended and waits to be fetched. */
function isAlive(pid: number): boolean {
  const path = `/proc/${pid}/stat`
  return existsSync(path) && !/\) [ZX] /.test(readFileSync(path, 'utf8'))
}

async function pidIn(name: string): Promise<number> {
  return vi.waitFor(() => {
    const pid = Number(readFileSync(join(folder, name), 'utf8').trim())
    expect(pid).toBeGreaterThan(0)
    return pid
  }, 5_000)
}

describe('a process group', () => {
  it('[WS2] reports exit, outputs and input', async () => {
    const end = await run('read line; echo "got $line"; echo err >&2; exit 3', { input: 'hello\n' })
    expect(end).toMatchObject({
      exitCode: 3,
      signal: null,
      ended: 'by-itself',
      stdout: { text: 'got hello\n' },
      stderr: { text: 'err\n' },
    })
  })

  it('[WS2] reports the signal of a program that killed itself', async () => {
    expect(await run('kill -KILL $$')).toMatchObject({ exitCode: null, signal: 'SIGKILL', ended: 'by-itself' })
  })

  it('[WS2] says why a program could not be started', async () => {
    expect(await run('', { program: '/no/such/program' })).toMatchObject({
      ended: 'not-started',
      startError: expect.stringContaining('ENOENT'),
    })
    expect(await run('', { args: ['a\0b'] })).toMatchObject({ ended: 'not-started' })
    expect(await run('', { signal: AbortSignal.abort() })).toMatchObject({ ended: 'not-started' })
  })

  it('[STOP2] is told to end at once, with all its children', async () => {
    const stop = new AbortController()
    const ending = run('sleep 300 & echo $! > child; wait', { signal: stop.signal })
    const child = await pidIn('child')
    stop.abort()
    expect(await ending).toMatchObject({ ended: 'by-term' })
    expect(isAlive(child)).toBe(false)
  })

  it('[STOP2] is killed after the grace when it does not hear, children too', async () => {
    const stop = new AbortController()
    const script =
      "trap '' TERM; (trap '' TERM; echo $BASHPID > child; while :; do sleep 1; done) & echo $$ > parent; while :; do sleep 1; done"
    const ending = run(script, { signal: stop.signal })
    const pids = [await pidIn('parent'), await pidIn('child')]
    const before = performance.now()
    stop.abort()
    expect(await ending).toMatchObject({ ended: 'by-kill', signal: 'SIGKILL' })
    expect(performance.now() - before).toBeGreaterThanOrEqual(290)
    await vi.waitFor(() => expect(pids.filter(isAlive)).toEqual([]), 2_000)
  })

  it('[STOP2] has nobody running when its end is told, however many were killed', async () => {
    const each = '(echo $BASHPID >> pids; while true; do :; done) &'
    const script = `trap "" TERM; for n in $(seq 40); do ${each} done; wait`
    const group = spawn('/bin/bash', ['-c', script], { cwd: folder, stdio: 'ignore', detached: true })
    const pids = await vi.waitFor(() => {
      const lines = readFileSync(join(folder, 'pids'), 'utf8').trim().split('\n')
      expect(lines).toHaveLength(40)
      return lines.map(Number)
    }, 30_000)
    expect(await endGroup(group.pid ?? 0, { clock: systemClock, graceMs: 0 })).toBe('by-kill')
    expect(pids.filter(isAlive)).toEqual([])
  })

  it('[WS2] ends children that hold the pipes after the program has gone', async () => {
    const end = await run('sleep 300 & echo $! > child; echo out')
    expect(end).toMatchObject({ exitCode: 0, ended: 'by-itself', stdout: { text: 'out\n' } })
    expect(isAlive(await pidIn('child'))).toBe(false)
  })

  it('[WS2] does not wait for one who has left the group with the pipes', async () => {
    const end = await run('setsid sleep 300 & echo $! > away; sleep 0.1; echo out')
    expect(end).toMatchObject({ exitCode: 0, stdout: { text: 'out\n' } })
    const away = await pidIn('away')
    if (isAlive(away)) process.kill(away, 'SIGKILL')
  })

  it('[WS2] keeps head and tail of an endless output in bounded memory, and counts the rest', async () => {
    const stop = new AbortController()
    let seenBytes = 0
    const end = await run('echo begin; exec yes 0123456789', {
      signal: stop.signal,
      onOutput: ({ bytes }) => {
        seenBytes += bytes.byteLength
        if (seenBytes > 50_000_000) stop.abort()
      },
    })
    expect(end.stdout.text.length).toBeLessThan(10_200)
    expect(end.stdout.text).toMatch(/^begin\n0123456789\n/)
    expect(end.stdout.totalBytes).toBe(seenBytes)
    expect(end.stdout.text).toContain(`${end.stdout.leftOutBytes} of ${seenBytes} bytes are left out here`)
  })

  it('[WS2] keeps no more than its limit of a stream, however long it is', () => {
    const keeper = createOutputKeeper(100_000)
    const piece = new Uint8Array(65_536).fill(97)
    const before = process.memoryUsage().arrayBuffers
    for (let index = 0; index < 3_000; index++) keeper.add(piece)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1_000_000)
    expect(keeper.read()).toMatchObject({ totalBytes: 196_608_000, leftOutBytes: 196_508_000 })
  })

  it('[WS2] keeps the first and the last bytes, however they are cut into pieces', () => {
    const bytes = fc.uint8Array({ maxLength: 30 })
    fc.assert(
      fc.property(fc.array(bytes, { maxLength: 8 }), fc.integer({ min: 0, max: 40 }), (pieces, limit) => {
        const ascii = pieces.map((piece) => piece.map((byte) => 97 + (byte % 26)))
        const keeper = createOutputKeeper(limit)
        for (const piece of ascii) keeper.add(piece)
        const whole = Buffer.concat(ascii).toString()
        const { text, leftOutBytes } = keeper.read()
        expect(leftOutBytes).toBe(Math.max(0, whole.length - limit))
        const headLength = Math.ceil(limit / 2)
        if (leftOutBytes === 0) expect(text).toBe(whole)
        else
          expect(
            text.startsWith(whole.slice(0, headLength)) &&
              text.endsWith(whole.slice(whole.length - limit + headLength)),
          ).toBe(true)
      }),
    )
  })

  it('[WS2] decodes characters that come in pieces, and bytes that are none', async () => {
    expect((await run("printf '\\xe2\\x82'; sleep 0.05; printf '\\xac'")).stdout.text).toBe('€')
    expect((await run("printf '\\xff'")).stdout.text).toBe('\ufffd')
  })

  it('[WS2] survives a program that does not read its input', async () => {
    expect(await run('exec true', { input: 'x'.repeat(1_000_000) })).toMatchObject({ ended: 'by-itself' })
  })

  it('[WS2, SEC4] gives the child the listed variables and those given for it, and no others', async () => {
    const own = { PATH: '/usr/bin:/bin', HOME: '/h', API_KEY: 'canary', DATABASE_URL: 'canary', LD_PRELOAD: '/x' }
    const { stdout } = await run('env', { environment: childEnvironment(own, { EXTRA: '1' }) })
    expect(stdout.text).toContain('HOME=/h')
    expect(stdout.text).toContain('EXTRA=1')
    expect(stdout.text).not.toMatch(/canary|LD_PRELOAD/)
  })

  it('[WS2] leaves no process behind that waits to be fetched', async () => {
    await Promise.all(Array.from({ length: 5 }, () => run('true | true; (true &)')))
    const { stdout } = await run(
      `for s in /proc/[0-9]*/stat; do read -r line < $s 2>/dev/null && case "$line" in *") Z ${process.pid} "*) echo zombie;; esac; done; true`,
    )
    expect(stdout.text).toBe('')
  })
})
