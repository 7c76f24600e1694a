import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { launcherPid } from '@holdfast/tool/process'
import { systemCode } from '../workspace/file-refusal.ts'

/** A folder of the system in which groups of processes with bounds can be made. */
export interface GroupPlace {
  readonly folder: string
  /** How the files in there are called. */
  readonly version: 1 | 2
  readonly controllers: readonly GroupController[]
}

/** What holds a group: how many it may be, what memory they share, and one share of the processors for all of them. */
export type GroupController = 'pids' | 'memory' | 'cpu'

/** Where groups can be made, or why they cannot. */
export type FoundPlaces =
  | { readonly type: 'places'; readonly places: readonly GroupPlace[] }
  | { readonly type: 'none'; readonly reason: string }

/** What the system says of this process. */
export interface OwnGroups {
  /** Text of `/proc/self/cgroup`. */
  readonly membership: string
  /** Text of `/proc/self/mountinfo`. */
  readonly mounts: string
  readonly pid: number
  /** Numbers of this process, of all above it and of its launcher. */
  readonly line: ReadonlySet<number>
}

/** What the groups of this process are; null on a system without any. */
export async function readOwnGroups(): Promise<OwnGroups | null> {
  const membership = await textOrNull('/proc/self/cgroup')
  const mounts = await textOrNull('/proc/self/mountinfo')
  return membership === null || mounts === null ? null : { membership, mounts, pid: process.pid, line: await ownLine() }
}

/**
 * Looks below the groups that this process is in, and nowhere else: what bounds the server goes on to bound its commands.
 *
 * In a hierarchy of version 2 a group that has processes of its own can have none below it that are bounded. Where only
 * this process, its launcher and those that started it are in there, they move one group down.
 */
export async function findGroupPlaces(own: OwnGroups): Promise<FoundPlaces> {
  const places: GroupPlace[] = []
  for (const { folder, controllers } of firstHierarchies(own)) places.push({ folder, version: 1, controllers })
  const missing = NEEDED.filter((name) => !places.some(({ controllers }) => controllers.includes(name)))
  if (missing.length > 0) {
    const second = await findSecond(own, missing)
    if (typeof second === 'string') return { type: 'none', reason: second }
    places.push(second)
  }
  return { type: 'places', places }
}

/** The text of a small file of the system; null where there is none, or it is closed to us. */
export async function textOrNull(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (systemCode(error) !== null) return null
    throw error
  }
}

const NEEDED: readonly GroupController[] = ['pids', 'memory']
const ALL: readonly GroupController[] = [...NEEDED, 'cpu']
/** The group of the server itself, beside those of its commands. */
const SERVER_GROUP = 'holdfast-server'

interface Mount {
  /** What of the hierarchy is shown there. */
  readonly root: string
  readonly folder: string
  readonly version: 1 | 2
  readonly options: readonly string[]
}

function mountsOf(text: string): readonly Mount[] {
  return text.split('\n').flatMap((line) => {
    // `id parent device root folder options … - type source options`
    const [before = '', after = ''] = line.split(' - ')
    const [, , , root = '', folder = ''] = before.split(' ')
    const [type = '', , options = ''] = after.split(' ')
    if (type !== 'cgroup' && type !== 'cgroup2') return []
    return [{ root, folder, version: type === 'cgroup' ? 1 : 2, options: options.split(',') } as const]
  })
}

/** The folder of a group; null where the mount does not show it. */
function folderIn({ root, folder }: Mount, group: string): string | null {
  if (group !== root && !`${group}/`.startsWith(root === '/' ? '/' : `${root}/`)) return null
  return resolve(folder, `.${group.slice(root === '/' ? 0 : root.length)}`)
}

function firstHierarchies({
  membership,
  mounts,
}: OwnGroups): readonly { readonly folder: string; readonly controllers: readonly GroupController[] }[] {
  const all = mountsOf(mounts)
  return membership.split('\n').flatMap((line) => {
    const [, names = '', group = ''] = /^\d+:([^:]*):(.*)$/.exec(line) ?? []
    const controllers = ALL.filter((name) => names.split(',').includes(name))
    if (controllers.length === 0) return []
    const mount = all.find(({ version, options }) => version === 1 && controllers.every((one) => options.includes(one)))
    const folder = mount === undefined ? null : folderIn(mount, group)
    return folder === null ? [] : [{ folder, controllers }]
  })
}

/** A reason, where there is no place in the hierarchy of version 2. */
async function findSecond(own: OwnGroups, wanted: readonly GroupController[]): Promise<GroupPlace | string> {
  const group = /^0::(.*)$/m.exec(own.membership)?.[1]
  const mount = mountsOf(own.mounts).find(({ version }) => version === 2)
  const folder = group === undefined || mount === undefined ? null : folderIn(mount, group)
  if (folder === null) return 'the system shows no control groups'
  // An earlier look may have moved this process already.
  const base = folder.endsWith(`/${SERVER_GROUP}`) ? join(folder, '..') : folder
  const offered = wordsOf(await textOrNull(join(base, 'cgroup.controllers')))
  const absent = wanted.filter((name) => !offered.includes(name))
  if (absent.length > 0) return `the control group ${base} is not given the controllers ${absent.join(' and ')}`
  const controllers = ALL.filter((name) => name === 'cpu' || wanted.includes(name)).filter((name) =>
    offered.includes(name),
  )
  const place: GroupPlace = { folder: base, version: 2, controllers }
  const enabled = wordsOf(await textOrNull(join(base, 'cgroup.subtree_control')))
  if (controllers.every((name) => enabled.includes(name))) return place
  return (await enable(place, own)) ?? place
}

/** Why it failed; null when it did not. */
async function enable({ folder, controllers }: GroupPlace, { line }: OwnGroups): Promise<string | null> {
  const inside = wordsOf(await textOrNull(join(folder, 'cgroup.procs'))).map(Number)
  const strangers = inside.filter((pid) => !line.has(pid))
  if (strangers.length > 0)
    return `other programs are in the control group ${folder}, which therefore can have no bounded ones below it`
  try {
    if (inside.length > 0) {
      const server = join(folder, SERVER_GROUP)
      await mkdir(server, { recursive: true })
      for (const pid of inside) await writeFile(join(server, 'cgroup.procs'), String(pid))
    }
    await writeFile(join(folder, 'cgroup.subtree_control'), controllers.map((name) => `+${name}`).join(' '))
    return null
  } catch (error) {
    const code = systemCode(error)
    if (code === null) throw error
    return `the control group ${folder} is not delegated to this account (${code})`
  }
}

function wordsOf(text: string | null): readonly string[] {
  return (text ?? '').split(/\s+/).filter((word) => word !== '')
}

async function ownLine(): Promise<ReadonlySet<number>> {
  const line = new Set<number>()
  for (let pid = process.pid; pid > 0 && !line.has(pid); ) {
    line.add(pid)
    const stat = (await textOrNull(`/proc/${pid}/stat`)) ?? ''
    // `pid (name) state parent …`: the name may hold anything, also parentheses.
    pid = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? 0)
  }
  const launcher = launcherPid()
  if (launcher !== null) line.add(launcher)
  return line
}
