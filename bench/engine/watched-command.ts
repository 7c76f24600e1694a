import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@holdfast/engine/system'
import type { Tool } from '@holdfast/tool'
import {
  createFolderWatch,
  createSurveyor,
  createWorkspaceTools,
  type FolderWatch,
  openWorkspace,
  usualBounds,
} from '@holdfast/toolbox'
import { type Benchmark, inTurns, timeMs } from '../lib/measure.ts'

const FOLDERS = 200
const FILES_EACH = 100
const FILE_BYTES = 2_000
const ROUNDS = 15

/** What looking at the folder before and after a command adds to it. */
export const watchedCommand: Benchmark = {
  name: 'watched-command',
  about: `the shell's \`true\` in a folder of ${FOLDERS * FILES_EACH} files of ${FILE_BYTES} bytes, with what it changes seen; beside the same call unwatched`,
  async run(report) {
    const root = mkdtempSync(join(tmpdir(), 'watched-command-'))
    const surveyor = createSurveyor({ folder: tmpdir(), clock: systemClock })
    const watch = createFolderWatch({ surveyor, clock: systemClock })
    try {
      fill(root)
      const watched = await shellOf(root, watch)
      const bare = await shellOf(root, null)
      const firstMs = await timeMs(() => call(watched))
      report(`the first command, which reads the folder whole: ${firstMs.toFixed(0)} ms`)
      const { valueMs, baselineMs, ratio } = await inTurns(ROUNDS, {
        value: () => call(watched),
        baseline: () => call(bare),
      })
      report(`later ones: ${valueMs.toFixed(0)} ms, unwatched ${baselineMs.toFixed(0)} ms`)
      const name = 'watched-command: a command in a folder of 20,000 files'
      return [{ name, value: valueMs, unit: 'ms', baseline: baselineMs, ratio, goal: 'reported', met: true }]
    } finally {
      await watch.close()
      rmSync(root, { recursive: true })
    }
  },
}

function fill(root: string): void {
  for (let folder = 0; folder < FOLDERS; folder++) {
    mkdirSync(join(root, `folder-${folder}`))
    for (let file = 0; file < FILES_EACH; file++)
      writeFileSync(join(root, `folder-${folder}`, `${file}.txt`), `${folder} ${file} `.padEnd(FILE_BYTES, 'x'))
  }
}

async function shellOf(root: string, watch: FolderWatch | null): Promise<Tool> {
  const workspace = openWorkspace({ root, closed: [] })
  const environment = { PATH: '/usr/local/bin:/usr/bin:/bin' }
  const sandbox = { type: 'none', reason: 'it is measured without one' } as const
  const machine = {
    environment,
    sandbox,
    owner: 'bench',
    register: null,
    bounds: usualBounds(),
    bash: '/bin/bash',
    ripgrep: null,
  }
  const blobSink = { keep: () => Promise.reject(new Error('nothing changes')) }
  const { tools } = createWorkspaceTools({ workspace, machine, blobSink, ...(watch ? { watch } : {}) }, systemClock)
  const shell = tools.find(({ definition }) => definition.name === 'shell')
  if (!shell) throw new Error('There is no shell')
  return shell
}

async function call(shell: Tool): Promise<void> {
  const signal = new AbortController().signal
  const context = { callId: 'call', signal, timeoutMs: 60_000, progress() {}, report() {}, suspend: () => () => {} }
  await shell.run({ command: 'true' }, context)
}
