import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

import { ROOT } from './places.mjs'
import { SetupError } from './say.mjs'

const PATH_TO_NODE = join(ROOT, 'node_modules', '.bin', 'node')

/** The first version that strips types by itself and has the Node-API that the SQLite driver is built for. */
const OLDEST = [22, 18]

/** The Node that everything but the set-up runs on. @throws SetupError when it is missing, does not start or is too old. */
export function installedNode() {
  if (!existsSync(PATH_TO_NODE)) {
    throw new SetupError(
      `${PATH_TO_NODE} is missing: npm ran without install scripts. Run \`npm rebuild node\`; if \`npm config get ignore-scripts\` says true, add \`--ignore-scripts=false\`.`,
      1,
    )
  }
  const answer = spawnSync(PATH_TO_NODE, ['--version'], { encoding: 'utf8' })
  if (answer.status !== 0) {
    throw new SetupError(
      `${PATH_TO_NODE} does not start (${answer.error?.message ?? answer.stderr.trim()}). Delete node_modules and run the same command again.`,
      1,
    )
  }
  const version = answer.stdout.trim()
  if (!isNewEnough(version)) {
    throw new SetupError(
      `${PATH_TO_NODE} is ${version}, and at least v${OLDEST.join('.')} is needed. Delete node_modules and run the same command again.`,
      1,
    )
  }
  return PATH_TO_NODE
}

function isNewEnough(version) {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number)
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])
}
