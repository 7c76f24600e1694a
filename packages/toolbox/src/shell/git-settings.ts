import type { Clock } from '@holdfast/conversation'
import { childEnvironment, runProcess } from '@holdfast/tool/process'

/** One setting of a git configuration. */
export interface GitSetting {
  /** `section.name` or `section.subsection.name`. */
  readonly key: string
  readonly value: string
}

/** Settings that name no program and no file that git runs or reads settings from, with what their values may be. */
const HARMLESS: ReadonlyMap<string, RegExp> = new Map([
  ...[
    ...['repositoryformatversion', 'filemode', 'bare', 'logallrefupdates', 'ignorecase', 'precomposeunicode'],
    ...['symlinks', 'autocrlf', 'eol', 'safecrlf', 'quotepath'],
  ].map((name) => [`core.${name}`, /^[\w-]{0,20}$/] as const),
  // That of a submodule, from its folder among git's own to the one of its files.
  ['core.worktree', /^(?:\.\.\/)+[\w@+-][\w./@+-]*$/],
  ...['objectformat', 'refstorage'].map((name) => [`extensions.${name}`, /^[\w-]{1,20}$/] as const),
  ...['remote.url', 'remote.pushurl', 'submodule.url'].map(
    (key) => [key, /^(?:(?:https?|ssh|git):\/\/[^-]|[\w.]+@[\w.-]+:|\.{0,2}\/)[^\n]*$/] as const,
  ),
  ['remote.fetch', /^[^\n]*$/],
  ['remote.tagopt', /^--(?:no-)?tags$/],
  ...['branch.remote', 'branch.merge', 'branch.rebase', 'user.name', 'user.email', 'init.defaultbranch'].map(
    (key) => [key, /^[^\n]*$/] as const,
  ),
  ...['pull.rebase', 'pull.ff', 'push.default', 'push.autosetupremote', 'fetch.prune', 'submodule.active'].map(
    (key) => [key, /^[\w-]{0,20}$/] as const,
  ),
])

/** Whether a setting can make git run nothing. */
export function isHarmless({ key, value }: GitSetting): boolean {
  const { section, name } = partsOf(key)
  return HARMLESS.get(`${section}.${name}`)?.test(value) === true
}

/**
 * Reads the text of a git configuration by git itself, so that nobody reads it otherwise than git will; null when git
 * does not take it.
 */
export async function readGitSettings(
  text: string,
  { git, clock }: { readonly git: string; readonly clock: Clock },
): Promise<readonly GitSetting[] | null> {
  const limit = new AbortController()
  const cancel = clock.after(READ_MS, () => limit.abort())
  const pieces: Uint8Array[] = []
  const end = await runProcess({
    program: git,
    args: ['config', '--file', '-', '--no-includes', '--list', '--null'],
    folder: '/',
    environment: childEnvironment(
      {},
      { GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', GIT_DIR: '/dev/null' },
    ),
    signal: limit.signal,
    graceMs: 100,
    outputLimitBytes: 0,
    clock,
    input: text,
    onOutput: ({ from, bytes }) => {
      if (from === 'stdout') pieces.push(bytes)
    },
  })
  cancel()
  if (end.exitCode !== 0) return null
  const lines = Buffer.concat(pieces).toString('utf8').split('\0')
  return lines.filter((line) => line !== '').map(toSetting)
}

/** Settings in the form of a file. */
export function writeGitSettings(settings: readonly GitSetting[]): string {
  return settings
    .map(({ key, value }) => {
      const { section, subsection, name } = partsOf(key)
      const title = subsection === null ? section : `${section} ${quoted(subsection)}`
      return `[${title}]\n\t${name} = ${quoted(value)}\n`
    })
    .join('')
}

const READ_MS = 5_000

function toSetting(line: string): GitSetting {
  const end = line.indexOf('\n')
  // A name alone means that it is so.
  return end < 0 ? { key: line, value: 'true' } : { key: line.slice(0, end), value: line.slice(end + 1) }
}

function partsOf(key: string): { readonly section: string; readonly subsection: string | null; readonly name: string } {
  const first = key.indexOf('.')
  const last = key.lastIndexOf('.')
  return {
    section: key.slice(0, first),
    subsection: first === last ? null : key.slice(first + 1, last),
    name: key.slice(last + 1),
  }
}

function quoted(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t')}"`
}
