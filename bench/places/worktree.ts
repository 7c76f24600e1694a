import { execFile } from 'node:child_process'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createMemoryStore } from '@holdfast/store/memory'
import { createGit, openWorktrees, type Worktrees } from '@holdfast/workbench'
import { type Benchmark, type Figure, median, timeMs } from '../lib/measure.ts'
import { inTemporaryFolder, systemClock, textOf } from '../lib/stores.ts'

const FILES = 10_000
const FILE_CHARS = 2_000
const ROUNDS = 5
const COMMANDS = 4

/** Making a worktree for a conversation, beside git alone. */
export const worktree: Benchmark = {
  name: 'worktree',
  about: `a worktree of a repository of ${FILES} files for a conversation, beside \`git worktree add\` of the same, in turns; and what a command in it waits until it can commit and its commits are taken over, beside one call of git`,
  run: (report) =>
    inTemporaryFolder(async (folder) => {
      const repository = join(folder, 'repository')
      const git = (...args: readonly string[]) => promisify(execFile)('git', ['-C', repository, ...args])
      await fill(repository)
      await git('init', '--quiet')
      await git('add', '--all')
      await git('-c', 'user.name=b', '-c', 'user.email=b@localhost', 'commit', '--quiet', '-m', 'all')
      const worktrees = await open(join(folder, 'worktrees'))
      const [ours, bare]: [number[], number[]] = [[], []]
      const [rooms, calls]: [number[], number[]] = [[], []]
      for (let round = 0; round < ROUNDS; round += 1) {
        const beside = join(folder, `bare-${round}`)
        bare.push(await timeMs(() => git('worktree', 'add', '--quiet', '-b', `bare-${round}`, beside)))
        const made = await timed(() => makeOne(worktrees, { repository, round }))
        ours.push(made.ms)
        for (let command = 0; command < COMMANDS; command += 1) {
          rooms.push(await timeMs(async () => (await worktrees.commitRoomOf(made.value.id)?.begin())?.finish()))
          calls.push(await timeMs(() => git('rev-parse', 'HEAD')))
        }
        await worktrees.remove(made.value.id)
        await rm(beside, { recursive: true })
      }
      const words = (values: readonly number[]) => values.map((ms) => ms.toFixed(0)).join(', ')
      report(`made in ${words(ours)} ms; by git alone in ${words(bare)} ms; load ${loadavg()[0]?.toFixed(1)}`)
      const [made, room] = [median(ours), median(rooms)]
      return [
        figureOf('worktree', { value: made, baseline: median(bare), goal: 'at most 1 s', met: made <= 1_000 }),
        figureOf('what each command waits for its commits', {
          value: room,
          baseline: median(calls),
          goal: 'reported',
          met: true,
        }),
      ]
    }),
}

function figureOf(
  name: string,
  { value, baseline, ...goal }: Pick<Figure, 'value' | 'goal' | 'met'> & { readonly baseline: number },
): Figure {
  return { name, unit: 'ms', value, baseline, ratio: value / baseline, ...goal }
}

async function fill(repository: string): Promise<void> {
  for (let at = 0; at < FILES; at += 1) {
    const inside = join(repository, `part-${Math.floor(at / 50)}`)
    if (at % 50 === 0) await mkdir(inside, { recursive: true })
    await writeFile(join(inside, `file-${at}.txt`), textOf(at, FILE_CHARS / 8))
  }
}

function open(root: string): Promise<Worktrees> {
  const { records } = createMemoryStore({ clock: systemClock })
  const { signal } = new AbortController()
  return openWorktrees({
    records,
    clock: systemClock,
    git: createGit({ program: 'git', environment: process.env, register: null, clock: systemClock, signal }),
    root,
    machine: 'machine',
    bounds: () => ({ mostWorktrees: 10, mostWorktreeBytes: 1e10, mostSnapshotBytes: 1e8 }),
    gh: null,
    runSetup: async ({ command }) => ({ command, exitCode: 0, output: '', durationMs: 0 }),
    beforeStep: async () => {},
  })
}

function makeOne(worktrees: Worktrees, { repository, round }: { readonly repository: string; readonly round: number }) {
  return worktrees.make({
    ownerId: 'ann',
    conversationId: `c${round}`,
    folder: repository,
    title: 'Mend it',
    brought: ['.env', 'node_modules'],
    setupCommand: null,
    carries: false,
  })
}

async function timed<Value>(work: () => Promise<Value>): Promise<{ readonly ms: number; readonly value: Value }> {
  const startedAt = performance.now()
  const value = await work()
  return { ms: performance.now() - startedAt, value }
}
