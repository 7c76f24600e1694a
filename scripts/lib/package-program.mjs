import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { ROOT } from './places.mjs'

/** The script behind a command that an installed package brings, to be run with the installed Node. */
export function packageProgram({ packageName, command }) {
  const folder = join(ROOT, 'node_modules', packageName)
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const path = typeof bin === 'string' ? bin : bin?.[command]
  if (path === undefined) throw new Error(`Package ${packageName} has no command ${command}`)
  return join(folder, path)
}
