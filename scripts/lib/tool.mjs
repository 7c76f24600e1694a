import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'

import { environmentOfNpm, interruptionCode, runChild } from './child.mjs'
import { withLock } from './lock.mjs'
import { SetupError, say } from './say.mjs'

/**
 * A tool of the system that the tests need:
 * `variable` is the environment variable that names it (and hands it on), `programs` must all lie in one folder, `instead` has programs of which each
 * alone will do where those cannot be had, `folders` are looked at before the PATH, `means` says whether the variable holds the program or its folder,
 * `prepare` is done before Debian's package is installed, and what it returns afterwards.
 */

/** Finds a tool, or installs it where that can be done without asking. @throws SetupError with what to do otherwise. */
export async function ensureTool(tool) {
  const named = process.env[tool.variable]
  if (named !== undefined && named !== '') return checkNamed(tool, named)
  const found = findTool(tool)
  if (found !== undefined) return found
  const instead = (tool.instead ?? []).map((program) => findTool({ ...tool, programs: [program] })).find(Boolean)
  try {
    return await install(tool)
  } catch (error) {
    if (!(error instanceof SetupError) || instead === undefined) throw error
    return instead
  }
}

async function install(tool) {
  if (!canInstall()) throw new SetupError(remedyOf(tool), 1)
  await withLock('system-packages', () => installWithApt(tool))
  const installed = findTool(tool)
  if (installed === undefined)
    throw new SetupError(`${tool.name} is not there after its installation. ${remedyOf(tool)}`, 1)
  return installed
}

function checkNamed(tool, named) {
  const path = tool.means === 'folder' ? join(named, tool.programs[0]) : named
  if (isProgram(path)) return named
  throw new SetupError(
    `${tool.variable} is ${named}, and ${path} is not a program. Correct the variable, or unset it.`,
    1,
  )
}

function findTool({ programs, folders, means }) {
  const path = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  const holdsAll = (folder) => programs.every((name) => isProgram(join(folder, name)))
  const folder = [...folders.flatMap(expand), ...path].find(holdsAll)
  if (folder === undefined) return undefined
  return means === 'folder' ? folder : join(folder, programs[0])
}

// A folder with a star in the middle becomes the folders that exist, the highest number first.
function expand(folder) {
  const [before, after] = folder.split('/*/')
  if (after === undefined) return [folder]
  if (!existsSync(before)) return []
  return readdirSync(before)
    .sort((a, b) => Number(b) - Number(a))
    .map((name) => join(before, name, after))
}

// A library is loaded, not run.
function isProgram(path) {
  try {
    accessSync(path, path.includes('.so.') ? constants.R_OK : constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

function canInstall() {
  return process.getuid?.() === 0 && existsSync('/etc/debian_version')
}

function remedyOf(tool) {
  return `${tool.name} was not found. Install it (Debian, Ubuntu: \`sudo apt-get install ${tool.debianPackage}\`), or set ${tool.variable} to its ${tool.means}.`
}

async function installWithApt(tool) {
  if (findTool(tool) !== undefined) return
  say(`installing ${tool.name} with apt-get (package ${tool.debianPackage})`)
  const undo = tool.prepare?.()
  try {
    await aptGet(tool)
  } finally {
    undo?.()
  }
}

async function aptGet(tool) {
  for (const args of [
    ['update', '-q'],
    ['install', '-q', '-y', '--no-install-recommends', '-o', 'Dpkg::Options::=--force-confold', tool.debianPackage],
  ]) {
    const env = { ...environmentOfNpm(), DEBIAN_FRONTEND: 'noninteractive' }
    const { exitCode } = await runChild({ command: 'apt-get', args, env, show: 'stderr' })
    if (exitCode !== 0)
      throw new SetupError(`apt-get ${args[0]} ended with ${exitCode}. ${remedyOf(tool)}`, interruptionCode() ?? 1)
  }
}
