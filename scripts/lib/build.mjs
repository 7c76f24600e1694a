import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { environment, interruptionCode, runChild } from './child.mjs'
import { withLock } from './lock.mjs'
import { packageProgram } from './package-program.mjs'
import { ROOT, SETUP_FOLDER } from './places.mjs'
import { SetupError, say } from './say.mjs'
import { clearStamp, hashOf, stampHolds, writeStamp } from './stamp.mjs'

/** What runs in previewed pages, which the server hands out as one file. */
const PREVIEW_SCRIPT = {
  name: 'preview script',
  takes: 'a moment',
  inputs: ['packages/preview-script', 'package-lock.json'],
  output: 'packages/preview-script/dist/preview-script.js',
  program: { packageName: 'rolldown', command: 'rolldown' },
  args: ['-c', 'packages/preview-script/rolldown.config.ts'],
}

const PROGRAM = {
  name: 'program',
  takes: 'a moment',
  inputs: ['packages', 'apps/holdfast', 'scripts/package', 'package-lock.json'],
  output: 'apps/holdfast/dist/main.js',
  program: { packageName: 'rolldown', command: 'rolldown' },
  args: ['-c', 'scripts/package/rolldown.config.mjs'],
}

const WEB = {
  name: 'page',
  takes: 'less than a minute',
  inputs: [
    'apps/web',
    'packages/client',
    'packages/protocol',
    'packages/conversation',
    'tsconfig.base.json',
    'package-lock.json',
  ],
  output: 'apps/web/dist/index.html',
  program: { packageName: 'vite', command: 'vite' },
  args: ['build', 'apps/web'],
}

/** The documentation, which the server hands out beside the page. Where the page was built anew its folder is gone. */
const DOCS = {
  name: 'documentation',
  takes: 'a moment',
  inputs: ['docs', 'scripts/docs', 'packages', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'package-lock.json'],
  output: 'apps/web/dist/docs/index.html',
  program: { packageName: '@11ty/eleventy', command: 'eleventy' },
  args: ['--config=scripts/docs/eleventy.config.mjs'],
}

/**
 * Builds the program when one of its sources changed since the last time. The files of the build before stay: a server that runs
 * may have more of them to load.
 */
export async function ensureProgramBuilt(node) {
  await ensureBuilt(node, PREVIEW_SCRIPT)
  await ensureBuilt(node, PROGRAM)
  removeOlder(dirname(join(ROOT, PROGRAM.output)))
}

/** A server that still runs what was built before is not left for so long, in days. */
const KEPT_DAYS = 30

function removeOlder(folder) {
  const oldestMs = Date.now() - KEPT_DAYS * 24 * 60 * 60 * 1000
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isFile() && statSync(path).mtimeMs < oldestMs) rmSync(path, { force: true })
  }
}

/** Builds the program into a folder that holds nothing else. */
export async function buildProgramInto(node, folder) {
  const args = [packageProgram(PROGRAM.program), ...PROGRAM.args, '--dir', folder]
  const { exitCode } = await runChild({ command: node, args, env: environment({}), show: 'failure' })
  if (exitCode !== 0) throw new SetupError('The program cannot be built: the lines above say where.', 1)
}

/** Builds the page when its sources, or those of the packages in it, changed since the last time. */
export async function ensureWebBuilt(node) {
  await ensureBuilt(node, WEB)
  await ensureBuilt(node, DOCS)
}

/** Says whether there is a page to build. */
export function hasWebPage() {
  return existsSync(join(ROOT, 'apps', 'web', 'index.html'))
}

async function ensureBuilt(node, target) {
  const stamp = join(SETUP_FOLDER, `${target.name}.stamp`)
  const isBuilt = () => stampHolds(stamp, hashOf(target.inputs)) && existsSync(join(ROOT, target.output))
  if (isBuilt()) return
  await withLock('build', async () => {
    if (isBuilt()) return
    say(`building the ${target.name} (${target.takes})`)
    const hash = hashOf(target.inputs)
    clearStamp(stamp)
    const args = [packageProgram(target.program), ...target.args]
    const { exitCode } = await runChild({ command: node, args, env: environment({}), show: 'failure' })
    const interrupted = interruptionCode()
    if (interrupted !== undefined)
      throw new SetupError(
        `Building the ${target.name} was interrupted. The next command starts it again.`,
        interrupted,
      )
    if (exitCode !== 0) throw new SetupError(`The ${target.name} cannot be built: the lines above say where.`, 1)
    writeStamp(stamp, hash)
  })
}
