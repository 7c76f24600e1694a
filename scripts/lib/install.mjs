import { existsSync } from 'node:fs'
import { join } from 'node:path'

import { environmentOfNpm, interruptionCode, runChild } from './child.mjs'
import { withLock } from './lock.mjs'
import { ROOT } from './places.mjs'
import { SetupError, say } from './say.mjs'
import { clearStamp, hashOf, stampHolds, writeStamp } from './stamp.mjs'

/** It lies inside node_modules, so that deleting that folder deletes the claim that it is complete. */
const STAMP = join(ROOT, 'node_modules', '.holdfast-install')

/** What npm says when it fails, and what a person can do about it. */
const REMEDIES = [
  {
    sign: /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT|ENOTCACHED/,
    remedy:
      'The package registry cannot be reached. Check the network, and `npm config get registry` and `npm config get proxy`; then run the same command again.',
  },
  {
    sign: /ENOSPC/,
    remedy: 'The disk is full. The packages need about 1 GB; make room and run the same command again.',
  },
  {
    sign: /EACCES|EPERM|EROFS/,
    remedy: 'This folder may not be written. Make it yours (`chown -R "$USER" .`) and run the same command again.',
  },
  {
    sign: /EUSAGE/,
    remedy: 'package-lock.json does not match the package.json files. Run `npm install` and commit the lock file.',
  },
  { sign: /EINTEGRITY/, remedy: 'A package arrived damaged. Run `npm cache verify`, then the same command again.' },
]

/** Installs the packages that the lock file names, unless exactly these are installed. */
export async function ensureInstalled() {
  if (isInstalled()) return
  await withLock('installation', async () => {
    if (!isInstalled()) await install()
  })
}

function isInstalled() {
  return stampHolds(STAMP, hashOfLock())
}

function hashOfLock() {
  return hashOf(['package-lock.json'], process.platform, process.arch)
}

async function install() {
  say(
    existsSync(join(ROOT, 'node_modules'))
      ? 'installing packages again: they do not match the lock file'
      : 'installing packages (about a minute)',
  )
  const hash = hashOfLock()
  clearStamp(STAMP)
  // No package runs anything of its own but `node`, which fetches the Node.js of the lock file. npm would compile SQLite too, for
  // which there is no need: a lock file does not say that its package brings what it needs (`gypfile: false`).
  await mustRun(['ci', '--include=dev', '--ignore-scripts', '--no-progress'])
  await mustRun(['rebuild', 'node'])
  writeStamp(STAMP, hash)
  say('packages installed')
}

/** @throws {SetupError} when it fails or is interrupted. */
async function mustRun(args) {
  const { exitCode, tail } = await runNpm([...args, '--no-audit', '--no-fund', '--loglevel=error'])
  const interrupted = interruptionCode()
  if (interrupted !== undefined)
    throw new SetupError('The installation was interrupted. The next command starts it again.', interrupted)
  if (exitCode !== 0) throw new SetupError(`npm ${args[0]} ended with ${exitCode}. ${remedyFor(tail)}`, 1)
}

async function runNpm(args) {
  try {
    return await runChild({ command: 'npm', args, env: environmentOfNpm(), show: 'stderr' })
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
    throw new SetupError('npm was not found on the PATH. Install Node.js (20.18 or newer) together with npm.', 1)
  }
}

function remedyFor(tail) {
  const known = REMEDIES.find(({ sign }) => sign.test(tail))
  return known?.remedy ?? 'The lines above say why. Put that right and run the same command again.'
}
