import type { PreviewRow, ScheduleRow, WorkspaceRow, WorktreeRow } from '@holdfast/protocol'
import type { Machine } from '@holdfast/toolbox'
import { CliError } from '../../cli-error.ts'
import type { Config } from '../../config.ts'
import { checkPlacesApart } from '../../places-apart.ts'
import { describeShell, findShell } from '../../tools/find-shell.ts'
import { startRootOf } from '../../tools/open-workspace.ts'
import type { ServedFacts } from '../reach/served-facts.ts'
import { type Finding, fail, fine, warn } from '../terminal/finding.ts'

type Opened = Pick<WorkspaceRow, 'name' | 'root' | 'isThere'>

/** So many workspaces are named. */
const MOST_NAMED = 20

/** The folders that agents may be given, and what their commands run in. [CLI29] */
export async function workspacesOf(
  config: Config,
  { settings, workspaces }: Pick<ServedFacts, 'settings'> & { readonly workspaces: readonly Opened[] | null },
): Promise<readonly Finding[]> {
  try {
    checkPlacesApart(config)
    const start = startRootOf(config)
    const opened = (workspaces ?? []).filter(({ root }) => root !== start)
    const more = opened.length - MOST_NAMED
    return [
      ...(start === null ? [] : [fine('workspace', start)]),
      ...opened.slice(0, MOST_NAMED).map(findingOf),
      ...(more > 0 ? [fine('workspace', `and ${more} more; all: holdfast workspaces`)] : []),
      ...(start === null && opened.length === 0 ? [nothingOpened(workspaces !== null)] : []),
      ...(await commandsOf(config, settings)),
    ]
  } catch (error) {
    if (error instanceof CliError) return [fail('workspace', error.message, null)]
    throw error
  }
}

/** What the running server shows, does at set times, and has made for conversations. [CLI29] */
export function workOf({
  previews,
  schedules,
  worktrees,
}: Pick<ServedFacts, 'previews' | 'schedules' | 'worktrees'>): readonly Finding[] {
  return [...previewsOf(previews), ...schedulesOf(schedules), ...worktreesOf(worktrees)]
}

function findingOf({ name, root, isThere }: Opened): Finding {
  if (isThere) return fine('workspace', `${name}: ${root}`)
  return warn(
    'workspace',
    `${name}: ${root} is not there`,
    'Bring the folder back, or close the workspace in the page.',
  )
}

function nothingOpened(isKnown: boolean): Finding {
  if (isKnown) return fine('workspace', 'none yet; holdfast open FOLDER opens one, and gives it to agents')
  return fine('workspace', 'which folders were opened is known while a server runs')
}

async function commandsOf(config: Config, { commandNetwork }: ServedFacts['settings']): Promise<readonly Finding[]> {
  const machine = await findShell(config, { owned: null, network: commandNetwork })
  return [
    shellFinding(machine, describeShell(machine, config)),
    machine.ripgrep === null
      ? warn('search', 'is built in, and slow in large folders', 'Install ripgrep (rg).')
      : fine('search', 'by ripgrep'),
  ]
}

function shellFinding({ sandbox, bash }: Machine, shell: string): Finding {
  if (sandbox.type === 'none' || bash === null)
    return warn('shell', shell, 'Install bash and bubblewrap (bwrap), or let agents use it only where you watch.')
  if (sandbox.network.type === 'none' && sandbox.network.reason !== null)
    return warn('shell', shell, `${remedyOf(sandbox.network.reason)}, or set commandNetwork to none or host.`)
  if (sandbox.bounding.type === 'looks')
    return warn('shell', shell, 'Start the server as a systemd unit with Delegate=yes: see docs/config.md.')
  return fine('shell', shell)
}

/** What lets commands have a network, by why they have none. [CLI52] */
export function remedyOf(reason: string): string {
  const missing = /^(.+) is not installed$/.exec(reason)?.[1]
  if (missing !== undefined) return `Install ${missing}`
  if (reason.includes('/dev/net/tun')) return 'Let the user of this program open /dev/net/tun'
  return 'Allow what is named there'
}

function previewsOf(rows: readonly PreviewRow[]): readonly Finding[] {
  const group = 'previews'
  if (rows.length === 0) return [fine(group, 'none; holdfast preview start shows the page of a workspace')]
  const running = rows.filter(({ state }) => state === 'ready' || state === 'starting').length
  const crashed = rows.filter(({ state }) => state === 'crashed')
  return [
    fine(group, `${running} of ${rows.length} run`),
    ...crashed.map(({ id }) => warn(group, `${id} has ended by itself`, `See why: holdfast preview logs ${id}`)),
  ]
}

function schedulesOf(rows: readonly ScheduleRow[]): readonly Finding[] {
  const group = 'schedules'
  if (rows.length === 0) return [fine(group, 'none; holdfast schedule add makes one')]
  const next = rows
    .flatMap(({ isOn, nextAt }) => (isOn && nextAt !== null ? [nextAt] : []))
    .toSorted((a, b) => a - b)[0]
  const due = next === undefined ? '' : `; the next run is at ${new Date(next).toISOString().slice(0, 16)}Z`
  const paused = rows.filter(({ isOn, pausedReason }) => !isOn && pausedReason !== null)
  return [
    fine(group, `${rows.filter(({ isOn }) => isOn).length} of ${rows.length} are on${due}`),
    ...paused.map(({ id, name, pausedReason }) =>
      warn(group, `${name} is paused: ${pausedReason}`, `See its runs: holdfast schedule history ${id}`),
    ),
  ]
}

function worktreesOf(rows: readonly WorktreeRow[]): readonly Finding[] {
  const group = 'worktrees'
  const there = rows.filter(({ state }) => state !== 'removed')
  if (there.length === 0) return [fine(group, 'none')]
  const bytes = there.reduce((sum, { now }) => sum + (now?.sizeBytes ?? 0), 0)
  const dirty = there.filter(({ now }) => now?.isDirty === true).length
  const unseen = there.filter(({ problem }) => problem !== null)
  return [
    fine(group, `${there.length}, ${Math.ceil(bytes / 1e6)} MB; ${dirty} with changes that are not committed`),
    ...unseen.map(({ branch, problem }) => warn(group, `${branch}: ${problem}`, 'See them: holdfast worktrees list')),
  ]
}
