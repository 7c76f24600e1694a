import { execFileSync } from 'node:child_process'
import { chmodSync, readdirSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'

import { environmentOfNpm } from '../lib/child.mjs'

/**
 * Packs folders as npm does, which writes no time of today and no name of this machine. Who may read it does not depend on who packs it.
 * All at once: each start of npm takes as long as it needs for twenty folders. @returns {string[]} the files' names in `out`
 */
export function pack({ folders, out }) {
  for (const folder of folders) evenOut(folder)
  const printed = execFileSync(
    'npm',
    ['pack', '--json', '--ignore-scripts', '--pack-destination', out, ...folders.map((folder) => resolve(folder))],
    {
      cwd: out,
      env: environmentOfNpm(),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
      maxBuffer: 100_000_000,
    },
  )
  const answer = JSON.parse(printed)
  const packed = Array.isArray(answer) ? answer : Object.values(answer)
  return packed.map(({ filename }) => filename.replace('@', '').replace('/', '-'))
}

/** Everybody may read what is packed, and run what lies in `bin`: the modes here are those of the clone and the umask. */
function evenOut(folder) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const isRun = entry.isDirectory() || basename(entry.parentPath) === 'bin'
    chmodSync(join(entry.parentPath, entry.name), isRun ? 0o755 : 0o644)
  }
}
