import { type ChildProcess, spawn } from 'node:child_process'
import { networkInterfaces } from 'node:os'
import type { Clock } from '@holdfast/conversation'
import { childEnvironment } from '@holdfast/tool/process'

/** Programs that make a network of its own. */
export interface NetworkPrograms {
  readonly bwrap: string
  readonly nsenter: string
  /** What leads from there to the public internet; null for a network that leads nowhere. */
  readonly outside: OutsidePrograms | null
}

/** Programs that lead out of a network, and close in it what is not the outside. */
export interface OutsidePrograms {
  readonly slirp4netns: string
  readonly ip: string
}

/** A network that commands of one conversation share: they reach each other and, where it leads there, the public internet, and nothing else. */
export interface NetworkRoom {
  /** What goes before a command so that it runs in there; opens the room for the first. @throws {NetworkRoomError} when it cannot be opened. */
  enter(): Promise<readonly string[]>
  /** To be called once for each `enter`; the last one out closes the room. */
  leave(): Promise<void>
}

/** The network of commands cannot be made. */
export class NetworkRoomError extends Error {
  override readonly name = 'NetworkRoomError'
  readonly code = 'no-room'
}

/** The server for names inside, which asks those of this machine. */
export const NAME_SERVER = '10.0.2.3'

/** Where no command may go: everything that is not the public internet, and this machine under every address it has. */
const CLOSED_RANGES = [
  // The own loopback too: one who names the device sends it out, where it is that of this machine.
  ...[
    '127.0.0.0/8',
    '0.0.0.0/8',
    '10.0.0.0/8',
    '100.64.0.0/10',
    '169.254.0.0/16',
    '172.16.0.0/12',
    '192.0.0.0/24',
    '192.0.2.0/24',
  ],
  ...['192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4'],
  // The door of a cloud's own services, which is public by its number.
  ...['240.0.0.0/4', '168.63.129.16/32'],
] as const

const OPEN_MS = 5_000

/** A room that is closed. */
export function createNetworkRoom(programs: NetworkPrograms, clock: Clock): NetworkRoom {
  let insideCount = 0
  let opened: Promise<OpenRoom> | null = null
  return {
    async enter() {
      insideCount++
      if (opened === null || (await isBroken(opened))) opened = openRoom(programs, clock)
      const { pid } = await opened
      const where = ['--target', String(pid), '--user', '--net', '--preserve-credentials']
      return [programs.nsenter, ...where, '--']
    },
    async leave() {
      insideCount--
      if (insideCount > 0 || opened === null) return
      const last = opened
      opened = null
      await (await last.catch(() => null))?.close()
    },
  }
}

interface OpenRoom {
  /** Of the process that holds the namespaces. */
  readonly pid: number
  readonly isOver: () => boolean
  close(): Promise<void>
}

async function isBroken(opened: Promise<OpenRoom>): Promise<boolean> {
  const room = await opened.catch(() => null)
  return room === null || room.isOver()
}

/**
 * Both programs end when a pipe of this process closes, so that nothing of the room outlives it. Routes that forbid are
 * made from within, by the only process that may; commands have no capability to take them back. slirp4netns answers
 * for no neighbour but itself, so that one who asks a device past the routes is not heard either.
 */
async function openRoom({ bwrap, outside }: NetworkPrograms, clock: Clock): Promise<OpenRoom> {
  const environment = childEnvironment({}, { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' })
  const holding = [
    '--unshare-user',
    '--unshare-net',
    '--die-with-parent',
    '--cap-drop',
    'ALL',
    ...(outside === null ? [] : ['--cap-add', 'CAP_NET_ADMIN']),
  ]
  const closing = 'echo $$; read go && printf %s "$2" | "$1" -batch - && echo closed && exec cat'
  const held =
    outside === null
      ? ['/bin/sh', '-c', 'echo $$; exec cat']
      : ['/bin/sh', '-c', closing, 'sh', outside.ip, closedRoutes()]
  const holder = spawn(bwrap, [...holding, '--dev-bind', '/', '/', '--', ...held], {
    cwd: '/',
    env: environment,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const started: ChildProcess[] = [holder]
  const limit = new AbortController()
  const cancel = clock.after(OPEN_MS, () => limit.abort())
  async function close(): Promise<void> {
    for (const child of started) {
      for (const stream of child.stdio) stream?.destroy()
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
    }
    await Promise.all(started.map(untilOver))
  }
  try {
    const pid = Number.parseInt(await firstWords(holder, { from: 1, signal: limit.signal }), 10)
    const isOver = (): boolean => started.some(({ exitCode, signalCode }) => exitCode !== null || signalCode !== null)
    if (outside === null) return { pid, isOver, close }
    const tap = ['--configure', '--mtu=65520', '--disable-host-loopback', '--enable-sandbox', '--enable-seccomp']
    const slirp = spawn(outside.slirp4netns, [...tap, '--ready-fd=3', '--exit-fd=4', String(pid), 'tap0'], {
      cwd: '/',
      env: environment,
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
    })
    started.push(slirp)
    await firstWords(slirp, { from: 3, signal: limit.signal })
    holder.stdin.write('go\n')
    await firstWords(holder, { from: 1, signal: limit.signal })
    return { pid, isOver, close }
  } catch (error) {
    await close()
    throw error
  } finally {
    cancel()
  }
}

/** What is closed of this machine includes its addresses that are public by their numbers: what listens there may be behind its firewall. */
function closedRoutes(): string {
  const own = Object.values(networkInterfaces()).flatMap((addresses) =>
    (addresses ?? []).filter(({ family }) => family === 'IPv4').map(({ address }) => `${address}/32`),
  )
  const ranges = new Set([...CLOSED_RANGES, ...own.filter((range) => !range.startsWith('127.'))])
  return [...ranges].map((range) => `route replace prohibit ${range}\n`).join('')
}

/** What a program says first on one of its pipes. @throws {NetworkRoomError} when it ends or takes too long before that. */
async function firstWords(
  child: ChildProcess,
  { from, signal }: { readonly from: number; readonly signal: AbortSignal },
): Promise<string> {
  const pipe = child.stdio[from]
  const complaints: string[] = []
  const onComplaint = (bytes: Buffer): void => void complaints.push(bytes.toString('utf8'))
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const give = (why: string): void =>
    reject(
      new NetworkRoomError(
        `${child.spawnfile} ${why}${complaints.length === 0 ? '' : `: ${complaints.join('').trim()}`}`,
      ),
    )
  const onAbort = (): void => give(`said nothing within ${OPEN_MS} ms`)
  const onExit = (code: number | null): void => give(`ended with ${code}`)
  const onError = (error: Error): void => give(error.message)
  const onWords = (bytes: Buffer): void => resolve(bytes.toString('utf8'))
  child.stderr?.on('data', onComplaint)
  child.once('error', onError)
  child.once('close', onExit)
  pipe?.once('data', onWords)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await promise
  } finally {
    signal.removeEventListener('abort', onAbort)
    child.off('close', onExit)
    pipe?.off('data', onWords)
  }
}

function untilOver(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => child.once('exit', () => resolve()))
}
