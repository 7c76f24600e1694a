import type { Clock } from '@holdfast/conversation'
import { childEnvironment, type ProcessEnd, runProcess } from '@holdfast/tool/process'
import { boundsPrelude, type CommandBounds } from './command-bounds.ts'
import { CommandGroupError, type CommandGroups, createCommandGroups } from './command-groups.ts'
import { programOf } from './command-words.ts'
import { findProgram } from './find-program.ts'
import { createGitGuard, type GitGuard } from './git-guard.ts'
import { findGroupPlaces, readOwnGroups } from './group-place.ts'
import { createNetworkRoom, NAME_SERVER, type NetworkPrograms, NetworkRoomError } from './network-room.ts'

/** What confines the commands of the shell. */
export type Sandbox =
  | {
      readonly type: 'bubblewrap'
      readonly program: string
      readonly network: SandboxNetwork
      readonly visible: Visible
      /** Keeps git, outside, from running what commands leave. */
      readonly git: GitGuard
      readonly bounding: Bounding
    }
  | { readonly type: 'none'; readonly reason: string }

/** Whether the system itself holds commands to their bounds, or why they are only looked at now and then. [SEC12] */
export type Bounding =
  | { readonly type: 'groups'; readonly groups: CommandGroups }
  | { readonly type: 'looks'; readonly reason: string }

/** What commands reach. [SEC8] */
export type SandboxNetwork =
  /**
   * Each other within one conversation, and why where more was asked for. Without programs each command is alone.
   */
  | { readonly type: 'none'; readonly reason: string | null; readonly programs: NetworkPrograms | null }
  /** The public internet, and neither this machine nor its networks. */
  | { readonly type: 'outside'; readonly programs: NetworkPrograms }
  /** All that this machine reaches. */
  | { readonly type: 'host' }

/** What commands see besides the system and the workspace, and what they never see. */
export interface Visible {
  /** Files and folders, such as a Node.js in a home folder. */
  readonly readable: readonly string[]
  /** Links among them. */
  readonly links: readonly { readonly path: string; readonly target: string }[]
  /** Folders that are empty in there, whatever else shows them: the server's own. */
  readonly hiddenFolders: readonly string[]
}

/** What a sandbox is looked for with. */
export interface SandboxOptions {
  /** `PATH`, to find `bwrap` in. */
  readonly searchPath: string
  /** What commands are to reach. */
  readonly network: SandboxNetwork['type']
  readonly visible: Visible
  /** Where groups of processes are noted while they are there; null where a kill of the server need not be thought of. */
  readonly groupNotes: string | null
  readonly bounds: CommandBounds
  readonly clock: Clock
  readonly signal: AbortSignal
}

/** What a definition says of calls that run in the sandbox; nothing where there is none. [PERM1] */
export function sandboxedBy({ type }: Pick<Sandbox, 'type'>): { readonly sandboxed?: true } {
  return type === 'none' ? {} : { sandboxed: true }
}

/**
 * Looks for bubblewrap and tries it with the arguments that commands get: on some machines it is there and may not make
 * namespaces, and what holds for one account need not hold for another. [SEC6]
 */
export async function findSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { searchPath, network, visible, clock } = options
  const program = await findProgram('bwrap', searchPath)
  if (program === null) return { type: 'none', reason: 'bubblewrap (bwrap) is not installed' }
  const find = await findProgram('find', searchPath)
  if (find === null)
    return { type: 'none', reason: 'find (findutils) is not installed, and what commands leave is not seen' }
  // Capabilities are read in there: a sandbox that leaves some is none.
  const look = [
    '/bin/sh',
    '-c',
    'while read -r name value; do if [ "$name" = CapEff: ]; then echo "$value"; fi; done < /proc/self/status',
  ]
  const end = await tried(
    [program, ...namespaceArguments({ network: 'none', isInRoom: false }), '--', ...look],
    options,
  )
  if (end.exitCode !== 0 || end.stdout.text === '')
    return { type: 'none', reason: `bubblewrap is installed and does not work here: ${whyNot(end)}` }
  if (!/^0+\n$/.test(end.stdout.text))
    return { type: 'none', reason: `bubblewrap leaves commands capabilities here: ${end.stdout.text.trim()}` }
  const git = createGitGuard({ find, git: await findProgram('git', searchPath), clock })
  return {
    type: 'bubblewrap',
    program,
    network: await findNetwork(network, { ...options, bwrap: program }),
    visible,
    git,
    bounding: await findBounding(options),
  }
}

/** What is true of the shell, for people and for the model. */
export function describeSandbox(sandbox: Sandbox): string {
  switch (sandbox.type) {
    case 'bubblewrap':
      return `Commands run sandboxed (bubblewrap): they write in the workspace and an empty /tmp only, do not see your home folder, have no capabilities, and cannot change settings and hooks of git. ${describeNetwork(sandbox.network)} ${describeBounding(sandbox.bounding)}`
    case 'none':
      return `Commands are NOT sandboxed: ${sandbox.reason}. They can read and change whatever your account can.`
  }
}

/** A command in a sandbox. */
export interface Confined {
  readonly rootPath: string
  /** What may be read beside it. */
  readonly readable: readonly string[]
  /** Whether it writes in the folder, or reads there only. */
  readonly writes: boolean
  readonly folder: string
  readonly home: string | undefined
  readonly command: readonly string[]
  readonly bounds: CommandBounds
  /** Whether it begins in a network room, which is then its network. */
  readonly isInRoom: boolean
  /** Arguments that keep what git runs as it is. */
  readonly git: readonly string[]
  /** Path of a bash. */
  readonly bash: string
}

/** The arguments of bubblewrap for a command. */
export function sandboxArguments(
  { network, visible }: Sandbox & { readonly type: 'bubblewrap' },
  { rootPath, readable, writes, folder, home, command, bounds, isInRoom, git, bash }: Confined,
): readonly string[] {
  const scratch = ['--size', String(Math.min(bounds.fileSizeBytes, Math.ceil(bounds.memoryBytes / 2))), '--tmpfs']
  const names = network.type === 'outside' ? [`echo nameserver ${NAME_SERVER} > /etc/resolv.conf`] : []
  const prelude = [...names, boundsPrelude(bounds), 'exec "$@"'].join('; ')
  return [
    ...namespaceArguments({ network: network.type, isInRoom }),
    ...[...scratch, '/tmp', ...scratch, '/dev/shm'],
    ...(home === undefined || home === '/' ? [] : [...scratch, home]),
    ...visible.readable.filter((path) => !isSystems(path)).flatMap((path) => ['--ro-bind-try', path, path]),
    ...visible.links.filter(({ path }) => !isSystems(path)).flatMap(({ path, target }) => ['--symlink', target, path]),
    ...withoutHidden(readable, visible.hiddenFolders).flatMap((path) => ['--ro-bind-try', path, path]),
    ...[writes ? '--bind' : '--ro-bind', rootPath, rootPath],
    ...git,
    ...visible.hiddenFolders
      .filter((path) => isSystems(path) || path.startsWith(`${rootPath}/`))
      .flatMap((path) => ['--size', '4096', '--tmpfs', path, '--remount-ro', path]),
    ...['--chdir', folder, '--', bash, '--noprofile', '--norc', '-c', prelude, 'bash', ...command],
  ]
}

/**
 * What of a list may be shown: nothing that is, or holds, what has to stay hidden, nor the root.
 */
export function withoutHidden(paths: readonly string[], hidden: readonly string[]): readonly string[] {
  return paths.filter((path) => path !== '/' && !hidden.some((one) => `${one}/`.startsWith(`${path}/`)))
}

const TRIAL_MS = 5_000
const SYSTEM_FOLDERS = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/opt', '/nix']
/** What programs need of `/etc`: names, keys of authorities, the loader. No passwords, no keys of the machine. */
const SETTINGS = [
  ...['passwd', 'group', 'hosts', 'host.conf', 'nsswitch.conf', 'services', 'protocols', 'localtime', 'timezone'],
  ...['ssl/certs', 'ssl/openssl.cnf', 'ca-certificates', 'pki/tls/certs', 'alternatives', 'ld.so.cache'],
  ...['ld.so.conf', 'ld.so.conf.d', 'gitconfig', 'mime.types', 'os-release'],
]

/**
 * A command of root is root of nothing: without the user namespace and the dropped capabilities it could mount anew what
 * it may only read. There is no `--new-session`: `runProcess` makes a session without a terminal for each command, and
 * another one inside would keep TERM from what a stop has to reach.
 */
function namespaceArguments({ network, isInRoom }: OwnNetwork): readonly string[] {
  const settings = network === 'outside' ? SETTINGS : [...SETTINGS, 'resolv.conf']
  return [
    ...['--unshare-all', '--unshare-user', '--cap-drop', 'ALL', '--disable-userns'],
    ...(network === 'host' || isInRoom ? ['--share-net'] : []),
    ...['--die-with-parent', '--hostname', 'sandbox'],
    ...[...SYSTEM_FOLDERS, ...settings.map((name) => `/etc/${name}`)].flatMap((path) => ['--ro-bind-try', path, path]),
    // Root owns the settings of the kernel, and who owns a file needs no capability to write it.
    ...['--proc', '/proc', '--remount-ro', '/proc', '--dev', '/dev', '--tmpfs', '/tmp'],
  ]
}

interface OwnNetwork {
  readonly network: SandboxNetwork['type']
  /** Then the network is already one of its own. */
  readonly isInRoom: boolean
}

function isSystems(path: string): boolean {
  return SYSTEM_FOLDERS.some((folder) => `${path}/`.startsWith(`${folder}/`))
}

function describeNetwork(network: SandboxNetwork): string {
  switch (network.type) {
    case 'host':
      return 'They share the network of this machine: its own services and its neighbours are reached too.'
    case 'outside':
      return 'They reach the public internet, and neither services of this machine nor its private networks.'
    case 'none':
      return network.reason === null
        ? 'They have no network but each other.'
        : `They have NO network, though the public internet was asked for: ${network.reason}.`
  }
}

function describeBounding(bounding: Bounding): string {
  switch (bounding.type) {
    case 'groups':
      return 'The system itself bounds their processes and memory.'
    case 'looks':
      return `Their processes and memory are only looked at four times a second, for the system cannot bound them: ${bounding.reason}.`
  }
}

/** Makes a group and runs a program in it: on many machines the folders are there, and may not be used. */
async function findBounding(options: SandboxOptions): Promise<Bounding> {
  const { groupNotes: notes, bounds, clock } = options
  const own = await readOwnGroups()
  if (own === null) return { type: 'looks', reason: 'the system has no control groups' }
  const found = await findGroupPlaces(own)
  if (found.type === 'none') return { type: 'looks', reason: found.reason }
  const groups = createCommandGroups({ places: found.places, notes, clock })
  try {
    const group = await groups.open(bounds)
    try {
      const end = await tried([...group.before, '/bin/sh', '-c', 'exit 0'], options)
      return end.exitCode === 0 ? { type: 'groups', groups } : { type: 'looks', reason: whyNot(end) }
    } finally {
      await group.close()
    }
  } catch (error) {
    if (!(error instanceof CommandGroupError)) throw error
    return { type: 'looks', reason: error.message }
  }
}

/** Tries to open a room and to run a command in it. */
async function findNetwork(
  wanted: SandboxNetwork['type'],
  options: SandboxOptions & { readonly bwrap: string },
): Promise<SandboxNetwork> {
  if (wanted === 'host') return { type: 'host' }
  const { bwrap, searchPath } = options
  const everywhere = `${searchPath}:/usr/sbin:/sbin`
  const [slirp4netns, nsenter, ip] = [
    await findProgram('slirp4netns', everywhere),
    await findProgram('nsenter', everywhere),
    await findProgram('ip', everywhere),
  ]
  const closed = async (reason: string | null): Promise<SandboxNetwork> => {
    const programs = nsenter === null ? null : { bwrap, nsenter, outside: null }
    const works = programs !== null && (await tryRoom(programs, options)) === null
    return { type: 'none', reason, programs: works ? programs : null }
  }
  if (wanted === 'none') return closed(null)
  if (slirp4netns === null) return closed('slirp4netns is not installed')
  if (nsenter === null) return closed('nsenter (util-linux) is not installed')
  if (ip === null) return closed('ip (iproute2) is not installed')
  const programs = { bwrap, nsenter, outside: { slirp4netns, ip } }
  const problem = await tryRoom(programs, options)
  return problem === null ? { type: 'outside', programs } : closed(problem)
}

/** Why it does not work; null where it does. */
async function tryRoom(programs: NetworkPrograms, options: SandboxOptions): Promise<string | null> {
  const room = createNetworkRoom(programs, options.clock)
  try {
    const before = await room.enter()
    const inside = namespaceArguments({ network: 'outside', isInRoom: true })
    const end = await tried([...before, programs.bwrap, ...inside, '--', '/bin/sh', '-c', 'exit 0'], options)
    return end.exitCode === 0 ? null : whyNot(end)
  } catch (error) {
    if (!(error instanceof NetworkRoomError)) throw error
    return `slirp4netns does not work here: ${error.message}`
  } finally {
    await room.leave()
  }
}

async function tried(
  words: readonly string[],
  { searchPath, clock, signal }: Pick<SandboxOptions, 'searchPath' | 'clock' | 'signal'>,
): Promise<ProcessEnd> {
  const { program, args } = programOf(words)
  const limit = new AbortController()
  const cancel = clock.after(TRIAL_MS, () => limit.abort())
  const end = await runProcess({
    program,
    args,
    folder: '/',
    environment: childEnvironment({ PATH: searchPath }, {}),
    signal: AbortSignal.any([signal, limit.signal]),
    graceMs: 100,
    outputLimitBytes: 1_000,
    clock,
  })
  cancel()
  return end
}

function whyNot(end: ProcessEnd): string {
  return (end.startError ?? end.stderr.text).trim() || `it ended with ${end.exitCode ?? end.signal}`
}
