import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launcherPid, launchProgram } from '@holdfast/tool/process'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createCommandGroups } from '../src/shell/command-groups.ts'
import { findGroupPlaces, type OwnGroups, readOwnGroups } from '../src/shell/group-place.ts'
import { systemClock } from './support/system-clock.ts'

/** Plain folders in the part of the system's own: what is looked for and written there is to be seen, and nothing is bounded. */
let base: string
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'group-place-'))
})
afterEach(() => rmSync(base, { recursive: true }))

const SERVER = 4_711
const SHELL = 4_710

const own = (membership: string, mounts: string): OwnGroups => ({
  membership,
  mounts,
  pid: SERVER,
  line: new Set([SERVER, SHELL, 1]),
})
const second = (group: string, root = '/'): OwnGroups =>
  own(`0::${group}\n`, `30 23 0:26 ${root} ${base} rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n`)

/** A group of version 2, as it looks before anything was done. */
function group(
  path: string,
  { controllers, inside }: { readonly controllers: string; readonly inside: string },
): string {
  const folder = join(base, path)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'cgroup.controllers'), `${controllers}\n`)
  writeFileSync(join(folder, 'cgroup.subtree_control'), '\n')
  writeFileSync(join(folder, 'cgroup.procs'), inside)
  return folder
}

describe('where groups can be made', () => {
  it('[SEC12] is below the own group of each hierarchy of version 1, also where a container shows a part of it', async () => {
    const mounts = [
      `31 20 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw`,
      `32 31 0:29 / ${base}/cpu rw,relatime - cgroup cgroup rw,cpu,cpuacct`,
      `33 31 0:30 /docker/one ${base}/memory rw,relatime - cgroup cgroup rw,memory`,
      `34 31 0:31 / ${base}/pids rw,relatime - cgroup cgroup rw,pids`,
    ].join('\n')
    expect(
      await findGroupPlaces(own('8:pids:/people/ann\n4:memory:/docker/one/inner\n1:cpu,cpuacct:/\n', mounts)),
    ).toEqual({
      type: 'places',
      places: [
        { folder: `${base}/pids/people/ann`, version: 1, controllers: ['pids'] },
        { folder: `${base}/memory/inner`, version: 1, controllers: ['memory'] },
        { folder: `${base}/cpu`, version: 1, controllers: ['cpu'] },
      ],
    })
  })

  it('[SEC12] is the own group of version 2, from which the server and what started it move one down', async () => {
    const folder = group('user/holdfast.service', {
      controllers: 'cpu memory pids',
      inside: `${SHELL}\n${SERVER}\n`,
    })
    expect(await findGroupPlaces(second('/user/holdfast.service'))).toEqual({
      type: 'places',
      places: [{ folder, version: 2, controllers: ['pids', 'memory', 'cpu'] }],
    })
    expect(readFileSync(join(folder, 'holdfast-server/cgroup.procs'), 'utf8')).toBe(String(SERVER))
    expect(readFileSync(join(folder, 'cgroup.subtree_control'), 'utf8')).toBe('+pids +memory +cpu')
  })

  it('[SEC12] stays the same for one that has moved already', async () => {
    const folder = group('user/holdfast.service', { controllers: 'memory pids', inside: '' })
    writeFileSync(join(folder, 'cgroup.subtree_control'), 'memory pids\n')
    expect(await findGroupPlaces(second('/user/holdfast.service/holdfast-server'))).toEqual({
      type: 'places',
      places: [{ folder, version: 2, controllers: ['pids', 'memory'] }],
    })
    expect(readFileSync(join(folder, 'cgroup.subtree_control'), 'utf8')).toBe('memory pids\n')
  })

  it('[SEC12] is nowhere where other programs are in the group, and none of them is moved', async () => {
    const folder = group('user/terminal.scope', { controllers: 'memory pids', inside: `${SHELL}\n${SERVER}\n815\n` })
    expect(await findGroupPlaces(second('/user/terminal.scope'))).toEqual({
      type: 'none',
      reason: `other programs are in the control group ${folder}, which therefore can have no bounded ones below it`,
    })
    expect(existsSync(join(folder, 'holdfast-server'))).toBe(false)
    expect(readFileSync(join(folder, 'cgroup.subtree_control'), 'utf8')).toBe('\n')
  })

  it('[SEC12] is nowhere without the controllers, or without the right to write', async () => {
    const folder = group('a', { controllers: 'cpu pids', inside: `${SERVER}\n` })
    expect(await findGroupPlaces(second('/a'))).toEqual({
      type: 'none',
      reason: `the control group ${folder} is not given the controllers memory`,
    })
    const other = group('b', { controllers: 'memory pids', inside: '' })
    rmSync(join(other, 'cgroup.subtree_control'))
    mkdirSync(join(other, 'cgroup.subtree_control'))
    expect(await findGroupPlaces(second('/b'))).toEqual({
      type: 'none',
      reason: `the control group ${other} is not delegated to this account (EISDIR)`,
    })
    expect(await findGroupPlaces(own('0::/c\n', '31 20 0:28 / /tmp rw - tmpfs tmpfs rw\n'))).toEqual({
      type: 'none',
      reason: 'the system shows no control groups',
    })
  })

  it('[SEC12, RUN33] is there too when a launcher has been started: it moves along', async () => {
    const started = { program: '/bin/true', args: [], folder: '/', environment: {}, hasInput: false, register: null }
    await launchProgram(started).then(({ exited }) => exited)
    const line = (await readOwnGroups())?.line ?? new Set()
    expect([...line]).toContain(launcherPid())
    const folder = group('a', { controllers: 'memory pids', inside: [...line].join('\n') })
    expect(await findGroupPlaces({ ...second('/a'), line })).toMatchObject({ type: 'places' })
    expect(readFileSync(join(folder, 'cgroup.subtree_control'), 'utf8')).toContain('+pids')
  })

  it('[SEC12] gives each command a group with its bounds, swap among them, that ends as one', async () => {
    const folder = group('user/holdfast.service', { controllers: 'memory pids', inside: '' })
    const found = await findGroupPlaces(second('/user/holdfast.service'))
    if (found.type === 'none') throw new Error(found.reason)
    const groups = createCommandGroups({ places: found.places, notes: join(base, 'notes'), clock: systemClock })
    const { before } = await groups.open({ processes: 16, memoryBytes: 1_048_576, fileSizeBytes: 1 })
    const made = before.find((word) => word.endsWith('/cgroup.procs'))?.replace('/cgroup.procs', '') ?? ''
    expect(made.startsWith(`${folder}/holdfast-command-`)).toBe(true)
    const set = ['pids.max', 'memory.max', 'memory.swap.max', 'memory.oom.group']
    expect(set.map((name) => readFileSync(join(made, name), 'utf8'))).toEqual(['64', '1048576', '0', '1'])
    expect(readFileSync(join(base, 'notes', made.split('/').at(-1) ?? ''), 'utf8')).toBe(made)
  })
})
