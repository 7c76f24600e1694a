import type { Clock } from '@holdfast/conversation'
import { childEnvironment, type ProcessRegister, runProcess } from '@holdfast/tool/process'
import { WorktreeRefusal } from './worktree-refusal.ts'

/** Runs git. Nothing that a repository's own settings name is run by it. [WS8, SEC7] */
export interface Git {
  /**
   * Runs git to its end.
   *
   * @throws {WorktreeRefusal} when it cannot be started or takes longer than its limit. Another end than 0 is an answer.
   */
  run(asked: GitRun): Promise<GitEnd>
  /** What git prints, where another end than 0 is a refusal. @throws {WorktreeRefusal} with what git says. */
  text(asked: GitRun): Promise<string>
  /** Runs a program that runs git itself, such as `gh`, under the same settings. @throws {WorktreeRefusal} */
  other(program: string, asked: GitRun): Promise<GitEnd>
}

/** What git is asked. */
export interface GitRun {
  readonly folder: string
  readonly args: readonly string[]
  /** For its input, one character for each byte. */
  readonly input?: string
  readonly environment?: Readonly<Record<string, string>>
  /** Settings that stand above all others, beside those that keep git from running things. */
  readonly settings?: readonly (readonly [key: string, value: string])[]
  /** Whether it may reach other repositories, as a push does; where it is not given it may not. */
  readonly mayReach?: boolean
}

/** How git ended. */
export interface GitEnd {
  readonly exitCode: number
  /** One character for each byte, for names of files need not be UTF-8. */
  readonly stdout: string
  readonly stderr: string
}

/** What git is run with. */
export interface GitDeps {
  /** Path of git. */
  readonly program: string
  /** The server's own environment; git gets the harmless part of it. */
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly register: Pick<ProcessRegister, 'note' | 'forget'> | null
  readonly clock: Clock
  /** Fires when the server ends. */
  readonly signal: AbortSignal
}

/** Runs the git of this machine, by its own account and in its own process group. */
export function createGit(deps: GitDeps): Git {
  async function start(program: string, asked: GitRun, settings: readonly Setting[]): Promise<GitEnd> {
    const { clock } = deps
    const limitMs = asked.mayReach === true ? REACH_MS : LOCAL_MS
    const limit = new AbortController()
    const cancel = clock.after(limitMs, () => limit.abort())
    const pieces: Uint8Array[] = []
    try {
      const end = await runProcess({
        program,
        args: asked.args,
        folder: asked.folder,
        environment: childEnvironment(deps.environment, {
          ...QUIET,
          GIT_ALLOW_PROTOCOL: asked.mayReach === true ? 'https:http:ssh:file' : '',
          ...inEnvironment(settings),
          ...asked.environment,
        }),
        signal: AbortSignal.any([deps.signal, limit.signal]),
        graceMs: 1_000,
        outputLimitBytes: STDERR_BYTES,
        clock,
        ...(asked.input === undefined ? {} : { input: Buffer.from(asked.input, 'latin1') }),
        ...(deps.register ? { register: deps.register } : {}),
        onOutput: ({ from, bytes }) => {
          if (from === 'stdout') pieces.push(bytes)
        },
      })
      if (end.startError !== undefined)
        throw new WorktreeRefusal('system', `${program} was not started: ${end.startError}`)
      if (end.exitCode === null || end.ended !== 'by-itself') {
        const why = limit.signal.aborted ? `took longer than ${limitMs} ms` : `was ended (${end.signal ?? 'stopped'})`
        throw new WorktreeRefusal('system', `${program} ${asked.args[0] ?? ''} in ${asked.folder} ${why}`)
      }
      return {
        exitCode: end.exitCode,
        stdout: Buffer.concat(pieces).toString('latin1'),
        stderr: end.stderr.text.trim(),
      }
    } finally {
      cancel()
    }
  }

  async function other(program: string, asked: GitRun): Promise<GitEnd> {
    const listed = await start(deps.program, { folder: asked.folder, args: LIST }, FIXED)
    // Where there is no repository, its settings run nothing either.
    const own = listed.exitCode === 0 ? overrides(listed.stdout) : []
    return start(program, asked, [...FIXED, ...own, ...(asked.settings ?? [])])
  }

  const run: Git['run'] = async (asked) => {
    for (let tries = 1; ; tries += 1) {
      const end = await other(deps.program, asked)
      if (end.exitCode === 0 || tries === MOST_TRIES || !HALF_MADE.test(end.stderr)) return end
      await new Promise<void>((resolve) => deps.clock.after(PAUSE_MS, resolve))
    }
  }

  return {
    run,
    other,
    async text(asked) {
      const end = await run(asked)
      if (end.exitCode !== 0) throw refusedByGit(asked, end)
      return end.stdout
    },
  }
}

/** What git said, as a refusal. */
export function refusedByGit(
  { args, folder }: Pick<GitRun, 'args' | 'folder'>,
  { exitCode, stderr }: GitEnd,
): WorktreeRefusal {
  const said = stderr === '' ? `it ended with ${exitCode}` : stderr.slice(0, 2_000)
  return new WorktreeRefusal('system', `git ${args[0] ?? ''} in ${folder}: ${said}`)
}

type Setting = readonly [key: string, value: string]

/**
 * What git ends with, before it does anything, where it comes upon a worktree that another git is at that moment making: it
 * looks at all of a repository, whatever it is asked. A moment later that one is whole. [WS39]
 */
const HALF_MADE = /failed to read \S*\/commondir/
const MOST_TRIES = 40
const PAUSE_MS = 50

const LOCAL_MS = 120_000
const REACH_MS = 600_000
const STDERR_BYTES = 16_384
const LIST = ['config', '--list', '--null', '--show-scope', '--includes']

/** Nobody sits before it, and what only looks writes nothing. */
const QUIET = {
  LC_ALL: 'C',
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_EDITOR: 'true',
  GIT_SEQUENCE_EDITOR: 'true',
  GIT_PAGER: 'cat',
  GIT_ASKPASS: 'true',
  SSH_ASKPASS: 'true',
  GIT_NO_REPLACE_OBJECTS: '1',
}

/** Settings that name what git runs by itself, each with the value that means nothing. */
const FIXED: readonly Setting[] = [
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['core.alternateRefsCommand', 'true'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['commit.gpgSign', 'false'],
  ['tag.gpgSign', 'false'],
  ['push.gpgSign', 'false'],
  ['submodule.recurse', 'false'],
  ['fetch.recurseSubmodules', 'false'],
  ['push.recurseSubmodules', 'no'],
  ['merge.renormalize', 'false'],
]

/** Settings of which there are as many as there are names. */
const NAMED: readonly (readonly [form: RegExp, value: string])[] = [
  [/^filter\..*\.(?:clean|smudge|process)$/su, ''],
  [/^filter\..*\.required$/su, 'false'],
  [/^merge\..*\.driver$/su, 'false'],
  [/^remote\..*\.(?:uploadpack|receivepack|vcs)$/su, ''],
  [/^gpg\.(?:.*\.)?(?:program|defaultkeycommand)$/su, 'false'],
]

/** Lists of helpers: an empty one ends what came before. */
const HELPERS = /^credential\.(?:.*\.)?helper$/su
const SSH = 'core.sshcommand'

/**
 * What stands above a repository's own settings: where one of them names a program, that of the account or of the
 * machine counts, and where there is none, nothing.
 */
function overrides(listed: string): readonly Setting[] {
  const own = new Set<string>()
  const trusted = new Map<string, string[]>()
  const words = listed.split('\0')
  for (let at = 0; at + 1 < words.length; at += 2) {
    const scope = words[at] ?? ''
    const [key = '', ...value] = (words[at + 1] ?? '').split('\n')
    if (scope === 'local' || scope === 'worktree') own.add(key)
    else if (scope === 'global' || scope === 'system') {
      const values = trusted.get(key) ?? []
      values.push(value.join('\n'))
      trusted.set(key, values)
    }
  }
  const found: Setting[] = []
  for (const key of own) {
    if (HELPERS.test(key)) found.push([key, ''], ...(trusted.get(key) ?? []).map((value): Setting => [key, value]))
    const [, none] = NAMED.find(([form]) => form.test(key)) ?? []
    if (none !== undefined) found.push([key, trusted.get(key)?.at(-1) ?? none])
    if (key === SSH) found.push([key, trusted.get(key)?.at(-1) ?? 'ssh'])
  }
  return found
}

function inEnvironment(settings: readonly Setting[]): Record<string, string> {
  return Object.fromEntries([
    ['GIT_CONFIG_COUNT', String(settings.length)],
    ...settings.flatMap(([key, value], index) => [
      [`GIT_CONFIG_KEY_${index}`, key],
      [`GIT_CONFIG_VALUE_${index}`, value],
    ]),
  ])
}
