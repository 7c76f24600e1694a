import { readdir, readFile, readlink } from 'node:fs/promises'

/**
 * The ports at which a process or one of those that it started listens, by who holds the socket: what a program prints
 * may be another's port, or none. Where the system has no `/proc`, none are found. [PREV2]
 */
export async function listeningPorts(pid: number): Promise<readonly number[]> {
  const tree = await treeOf(pid)
  const held = new Set((await Promise.all(tree.map(socketsOf))).flat())
  if (held.size === 0) return []
  const listening = new Set<number>()
  // Those of one command share one network.
  const tables = await Promise.all(
    [...new Set([pid, tree.at(-1) ?? pid])].flatMap((one) =>
      ['tcp', 'tcp6'].map((table) => textOr(`/proc/${one}/net/${table}`)),
    ),
  )
  for (const line of tables.flatMap((table) => table.split('\n').slice(1))) {
    const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/)
    if (state === LISTENING && held.has(inode)) listening.add(Number.parseInt(local.split(':')[1] ?? '', 16))
  }
  return [...listening].sort((one, other) => one - other)
}

/** `TCP_LISTEN` of the kernel. */
const LISTENING = '0A'

/** Itself and all that it started, in no order but itself first. */
async function treeOf(pid: number): Promise<readonly number[]> {
  const names = (await listOr('/proc')).filter((name) => /^\d+$/.test(name))
  const parents = await Promise.all(
    names.map(async (name) => {
      const stat = await textOr(`/proc/${name}/stat`)
      return { pid: Number(name), parent: Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) }
    }),
  )
  const children = new Map<number, number[]>()
  for (const { pid: child, parent } of parents) {
    const known = children.get(parent)
    if (known) known.push(child)
    else children.set(parent, [child])
  }
  const tree = [pid]
  for (let at = 0; at < tree.length; at++) for (const child of children.get(tree[at] ?? 0) ?? []) tree.push(child)
  return tree
}

async function socketsOf(pid: number): Promise<readonly string[]> {
  const names = await listOr(`/proc/${pid}/fd`)
  const targets = await Promise.all(names.map((name) => linkOr(`/proc/${pid}/fd/${name}`)))
  return targets.flatMap((target) => /^socket:\[(\d+)\]$/.exec(target)?.[1] ?? [])
}

/** A process may end while it is looked at. */
async function orElse<Value>(read: () => Promise<Value>, other: Value): Promise<Value> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof Error && 'code' in error) return other
    throw error
  }
}

const textOr = (path: string): Promise<string> => orElse(() => readFile(path, 'latin1'), '')
const listOr = (path: string): Promise<readonly string[]> => orElse(() => readdir(path), [])
const linkOr = (path: string): Promise<string> => orElse(() => readlink(path), '')
