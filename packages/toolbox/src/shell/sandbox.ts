import type { Clock } from '@holdfast/conversation'
import { childEnvironment, runProcess } from '@holdfast/tool/process'
import { statOrNull } from '../workspace/held-folder.ts'
import { findProgram } from './find-program.ts'

/** What confines the commands of the shell. */
export type Sandbox =
  | {
      readonly type: 'bubblewrap'
      readonly program: string
      readonly network: SandboxOptions['network']
      readonly readable: readonly string[]
    }
  | { readonly type: 'none'; readonly reason: string }

/** What a sandbox is looked for with. */
export interface SandboxOptions {
  /** `PATH`, to find `bwrap` in. */
  readonly searchPath: string
  /** Whether commands reach the network, and with it the services of this machine. */
  readonly network: 'shared' | 'none'
  /** Folders besides those of the system that commands may read, such as that of a Node.js in a home folder. */
  readonly readable: readonly string[]
  readonly clock: Clock
  readonly signal: AbortSignal
}

/** Looks for bubblewrap and tries it: on some machines it is there and may not make namespaces. */
export async function findSandbox({ searchPath, network, readable, clock, signal }: SandboxOptions): Promise<Sandbox> {
  const program = await findProgram('bwrap', searchPath)
  if (program === null) return { type: 'none', reason: 'bubblewrap (bwrap) is not installed' }
  const sandbox = { type: 'bubblewrap', program, network, readable } as const
  const limit = new AbortController()
  const cancel = clock.after(TRIAL_MS, () => limit.abort())
  const end = await runProcess({
    program,
    args: [...namespaceArguments(sandbox), '--', '/bin/sh', '-c', 'exit 0'],
    folder: '/',
    environment: childEnvironment({ PATH: searchPath }, {}),
    signal: AbortSignal.any([signal, limit.signal]),
    graceMs: 100,
    outputLimitBytes: 1_000,
    clock,
  })
  cancel()
  if (end.exitCode === 0) return sandbox
  const why = (end.startError ?? end.stderr.text).trim() || `it ended with ${end.exitCode ?? end.signal}`
  return { type: 'none', reason: `bubblewrap is installed and does not work here: ${why}` }
}

const TRIAL_MS = 5_000

/** What is true of the shell, for people and for the model. */
export function describeSandbox(sandbox: Sandbox): string {
  switch (sandbox.type) {
    case 'bubblewrap': {
      const net = sandbox.network === 'shared' ? 'the network is reached' : 'there is no network'
      return `Commands run sandboxed (bubblewrap): they write in the workspace and an empty /tmp only, and do not see your home folder; ${net}.`
    }
    case 'none':
      return `Commands are NOT sandboxed: ${sandbox.reason}. They can read and change whatever your account can.`
  }
}

/** A command in a sandbox. */
export interface Confined {
  readonly rootPath: string
  readonly folder: string
  readonly home: string | undefined
  readonly command: readonly string[]
}

/** The arguments of bubblewrap for a command. */
export async function sandboxArguments(
  sandbox: Sandbox & { readonly type: 'bubblewrap' },
  { rootPath, folder, home, command }: Confined,
): Promise<string[]> {
  return [
    ...namespaceArguments(sandbox),
    ...(home === undefined || home === '/' ? [] : ['--tmpfs', home]),
    ...sandbox.readable.flatMap((path) => ['--ro-bind', path, path]),
    ...['--bind', rootPath, rootPath],
    ...(await gitArguments(rootPath)),
    ...['--chdir', folder, '--', ...command],
  ]
}

const SYSTEM_FOLDERS = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/opt', '/nix']
/** What programs need of `/etc`: names, keys of authorities, the loader. No passwords, no keys of the machine. */
const SETTINGS = [
  ...['passwd', 'group', 'hosts', 'host.conf', 'resolv.conf', 'nsswitch.conf', 'services', 'protocols', 'localtime'],
  ...['timezone', 'ssl/certs', 'ssl/openssl.cnf', 'ca-certificates', 'pki/tls/certs', 'alternatives', 'ld.so.cache'],
  ...['ld.so.conf', 'ld.so.conf.d', 'gitconfig', 'mime.types', 'os-release'],
]

function namespaceArguments({ network }: Sandbox & { readonly type: 'bubblewrap' }): string[] {
  return [
    ...[
      '--unshare-all',
      ...(network === 'shared' ? ['--share-net'] : []),
      '--die-with-parent',
      '--hostname',
      'sandbox',
    ],
    ...[...SYSTEM_FOLDERS, ...SETTINGS.map((name) => `/etc/${name}`)].flatMap((path) => ['--ro-bind-try', path, path]),
    ...['--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp'],
  ]
}

/** Git runs what stands in its hooks and settings, later and outside: commands may read them only. */
async function gitArguments(rootPath: string): Promise<string[]> {
  if (!(await statOrNull(`${rootPath}/.git`))?.isDirectory()) return []
  const hooks = `${rootPath}/.git/hooks`
  const config = `${rootPath}/.git/config`
  return [
    ...((await statOrNull(hooks))?.isDirectory() ? ['--ro-bind', hooks, hooks] : ['--tmpfs', hooks]),
    ...((await statOrNull(config))?.isFile() ? ['--ro-bind', config, config] : []),
  ]
}
