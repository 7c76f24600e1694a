import { execFileSync } from 'node:child_process'
import { chmodSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'

import { environmentOfNpm } from '../lib/child.mjs'

/** Packs a folder as npm does, which writes no time of today and no name of this machine. Who may read it does not depend on who packs it. @returns {string} the file's name in `out` */
export function pack({ folder, out }) {
  evenOut(folder)
  const printed = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', out], {
    cwd: folder,
    env: environmentOfNpm(),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const answer = JSON.parse(printed)
  const [packed] = Array.isArray(answer) ? answer : Object.values(answer)
  return packed.filename.replace('@', '').replace('/', '-')
}

/** Everybody may read what is packed, and run what lies in `bin`: the modes here are those of the clone and the umask. */
function evenOut(folder) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const isRun = entry.isDirectory() || basename(entry.parentPath) === 'bin'
    chmodSync(join(entry.parentPath, entry.name), isRun ? 0o755 : 0o644)
  }
}
