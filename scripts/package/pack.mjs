import { execFileSync } from 'node:child_process'

import { environmentOfNpm } from '../lib/child.mjs'

/** Packs a folder as npm does, which writes no time of today and no name of this machine. @returns {string} the file's name in `out` */
export function pack({ folder, out }) {
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
