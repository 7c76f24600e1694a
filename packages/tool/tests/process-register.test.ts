import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { childEnvironment, createProcessRegister, runProcess } from '@holdfast/tool/process'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { systemClock } from './support/system-clock.ts'

let folder = ''
let registerFolder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'process-register-'))
  registerFolder = join(folder, 'register')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function openRegister() {
  return createProcessRegister({ folder: registerFolder, clock: systemClock, graceMs: 200 })
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
  }, 20_000)
}

/** The numbers of a group whose owner was killed with -9. */
async function leaveGroup(): Promise<readonly number[]> {
  const script = new URL('./support/left-group.ts', import.meta.url).pathname
  const args = ['--conditions=@holdfast/source', script, registerFolder, folder]
  const owner = spawn(process.execPath, args, { stdio: 'inherit' })
  const pids = [await pidIn('parent'), await pidIn('child')]
  // The group may be there before its owner has noted it.
  await vi.waitFor(() => expect(readdirSync(registerFolder)).toHaveLength(1), 20_000)
  const exited = once(owner, 'exit')
  owner.kill('SIGKILL')
  await exited
  return pids
}

describe('the register of process groups', () => {
  it('[RUN14] ends at the next start what a kill -9 left behind', async () => {
    const pids = await leaveGroup()
    expect(pids.every(isAlive)).toBe(true)
    expect(await openRegister().endLeftOver()).toBe(1)
    await vi.waitFor(() => expect(pids.filter(isAlive)).toEqual([]), 2_000)
    expect(readdirSync(registerFolder)).toEqual([])
    expect(await openRegister().endLeftOver()).toBe(0)
  })

  it('[RUN14] leaves a process alone that has the number of one that is gone', async () => {
    const pids = await leaveGroup()
    const [name = ''] = readdirSync(registerFolder)
    renameSync(join(registerFolder, name), join(registerFolder, `${pids[0]}.1x000000000000`))
    writeFileSync(join(registerFolder, 'something else'), '')
    expect(await openRegister().endLeftOver()).toBe(0)
    expect(pids.every(isAlive)).toBe(true)
    process.kill(-(pids[0] ?? 0), 'SIGKILL')
  })

  it('[RUN14] knows a group exactly as long as it runs', async () => {
    const register = openRegister()
    const during: string[][] = []
    await runProcess({
      program: '/bin/bash',
      args: ['-c', 'echo here; sleep 0.05'],
      folder,
      environment: childEnvironment({ PATH: '/usr/bin:/bin' }, {}),
      signal: new AbortController().signal,
      graceMs: 200,
      outputLimitBytes: 100,
      clock: systemClock,
      register,
      onOutput: () => during.push(readdirSync(registerFolder)),
    })
    expect(during[0]).toHaveLength(1)
    expect(readdirSync(registerFolder)).toEqual([])
  })

  it('[RUN14] does not end what runs now', async () => {
    const register = openRegister()
    const stop = new AbortController()
    const running = runProcess({
      program: '/bin/bash',
      args: ['-c', 'echo $$ > own; sleep 300'],
      folder,
      environment: childEnvironment({ PATH: '/usr/bin:/bin' }, {}),
      signal: stop.signal,
      graceMs: 200,
      outputLimitBytes: 100,
      clock: systemClock,
      register,
    })
    const pid = await pidIn('own')
    expect(await register.endLeftOver()).toBe(0)
    expect(isAlive(pid)).toBe(true)
    stop.abort()
    await running
  })
})
