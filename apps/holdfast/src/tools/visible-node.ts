import { existsSync, lstatSync, readlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Visible, withoutHidden } from '@holdfast/toolbox'

/**
 * What commands have to see of a Node.js that lies in a home folder: the program and npm beside it, and nothing else of
 * the folder that they are in, which may be `~/.local`. [SEC6]
 */
export function visibleNode(
  execPath: string,
  { hidden, hiddenFolders }: { readonly hidden: readonly string[]; readonly hiddenFolders: readonly string[] },
): Visible {
  const prefix = dirname(dirname(execPath))
  const npm = join(prefix, 'lib/node_modules/npm')
  const links = ['npm', 'npx'].map((name) => join(prefix, 'bin', name)).filter(isLink)
  return {
    readable: withoutHidden([execPath, ...(existsSync(npm) ? [npm] : [])], hidden),
    links: links.map((path) => ({ path, target: readlinkSync(path) })),
    hiddenFolders,
  }
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true
}
