import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LaunchError, type LaunchedProgram, launchProgram, runProcess } from '@holdfast/tool/process'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { systemClock } from './support/system-clock.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'launched-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function launched(script: string, rest: Partial<LaunchedProgram> = {}) {
  return launchProgram({
    program: '/bin/bash',
    args: ['-c', script],
    folder,
    environment: { PATH: '/usr/bin:/bin' },
    hasInput: false,
    register: null,
    ...rest,
  })
}

async function textOf(pipe: NodeJS.ReadableStream): Promise<string> {
  let text = ''
  for await (const piece of pipe) text += String(piece)
  return text
}

function isAlive(pid: number): boolean {
  const path = `/proc/${pid}/stat`
  return existsSync(path) && !/\) [ZX] /.test(readFileSync(path, 'utf8'))
}

describe('a launcher', () => {
  it('[RUN33] starts programs in the place of this process, each in a group of its own', async () => {
    const program = await launched('echo "$PPID $$ $(ps -o pgid= -p $$)"')
    const [parent, own, group] = (await textOf(program.stdout)).trim().split(/ +/).map(Number)
    expect(own).toBe(program.pid)
    expect(group).toBe(program.pid)
    expect(parent).not.toBe(process.pid)
    expect(readFileSync(`/proc/${parent}/cmdline`, 'utf8')).toContain('launcher-process')
    expect(await program.exited).toEqual({ exitCode: 0, signalCode: null })
  })

  it('[RUN33] loses nothing of a hundred programs that begin and end at once', async () => {
    const said = await Promise.all(
      Array.from({ length: 100 }, async (_, number) => {
        const program = await launched(`echo out ${number}; echo error ${number} >&2; exit ${number}`)
        const texts = await Promise.all([textOf(program.stdout), textOf(program.stderr)])
        await program.closed
        return [...texts, program.exit()?.exitCode]
      }),
    )
    expect(said).toEqual(Array.from({ length: 100 }, (_, number) => [`out ${number}\n`, `error ${number}\n`, number]))
  })

  it('[RUN33] gives input byte for byte, and closes it', async () => {
    const program = await launched('cat', { hasInput: true })
    const input = 'word '.repeat(400_000)
    program.stdin?.end(input)
    expect(await textOf(program.stdout)).toBe(input)
  })

  it('[RUN33] says why a program could not be started', async () => {
    const failure = await launched('', { program: '/no/such/program' }).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(LaunchError)
    expect(failure).toMatchObject({ code: 'ENOENT', message: 'spawn /no/such/program ENOENT' })
    await expect(launched('', { args: ['a\0b'] })).rejects.toThrow('without null bytes')
    await expect(launched('', { folder: join(folder, 'missing') })).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('[RUN33] ends a program that nobody could note when this process is killed, and goes with it', async () => {
    const program = join(import.meta.dirname, 'support/killed-before-note.ts')
    const killed = spawn(process.execPath, ['--conditions=@holdfast/source', program, folder], {
      env: { PATH: '/usr/bin:/bin', TMPDIR: folder },
      stdio: 'ignore',
    })
    const [, signal] = await once(killed, 'exit')
    expect(signal).toBe('SIGKILL')
    const group = Number(readFileSync(join(folder, 'group'), 'utf8'))
    await vi.waitFor(() => expect(isAlive(group)).toBe(false), 5_000)
    await vi.waitFor(() => expect(readdirSync(folder)).toEqual(['group']), 5_000)
  })

  it('[RUN33] takes no pipe of a stranger for one of a program', async () => {
    const program = await launched('echo "$PPID"; sleep 300')
    const [parent] = await once(program.stdout, 'data')
    const path = readFileSync(`/proc/${Number(String(parent))}/cmdline`, 'utf8').split('\0')[2] ?? ''
    const stranger = connect(path)
    stranger.write(`${'0'.repeat(36)}.1`)
    await once(stranger, 'close')
    process.kill(-program.pid, 'SIGKILL')
    expect(await program.exited).toEqual({ exitCode: null, signalCode: 'SIGKILL' })
  })

  it('[RUN33] that is killed ends what it had started, and the next program is started by another', async () => {
    // The input comes when the program is known: what it does before that is left to the marks of commands.
    const run = (script: string) =>
      runProcess({
        program: '/bin/bash',
        args: ['-c', script],
        folder,
        environment: { PATH: '/usr/bin:/bin' },
        signal: new AbortController().signal,
        graceMs: 300,
        outputLimitBytes: 1_000,
        clock: systemClock,
        input: 'go\n',
      })
    const end = await run('read go; echo $$ > own; kill -9 $PPID; sleep 300')
    expect(end).toMatchObject({ exitCode: null, signal: null })
    const pid = Number(readFileSync(join(folder, 'own'), 'utf8'))
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false), 5_000)
    expect(await run('echo again')).toMatchObject({ exitCode: 0, stdout: { text: 'again\n' } })
  })
})
