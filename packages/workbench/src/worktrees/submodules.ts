import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isThere } from './entry-of.ts'
import type { Git } from './git.ts'
import { utf8 } from './repository.ts'

/**
 * Fills the submodules that are there in the person's own working tree, from git's copies of them in the repository:
 * nothing is fetched, and nothing is written into the settings that all working trees share. [WS7]
 *
 * @returns their paths.
 */
export async function fillSubmodules(
  git: Git,
  { top, folder, commonDir }: { readonly top: string; readonly folder: string; readonly commonDir: string },
): Promise<readonly string[]> {
  if (!(await isThere(join(folder, '.gitmodules')))) return []
  const listed = await git.run({
    folder,
    args: ['config', '--file', '.gitmodules', '--null', '--get-regexp', String.raw`^submodule\..*\.path$`],
  })
  if (listed.exitCode !== 0) return []
  const filled: string[] = []
  for (const line of listed.stdout.split('\0')) {
    const at = line.indexOf('\n')
    if (at < 0) continue
    const name = utf8(line.slice('submodule.'.length, at - '.path'.length))
    const path = utf8(line.slice(at + 1))
    const store = join(commonDir, 'modules', name)
    if (!isPlain(name) || !isPlain(path) || !(await hasNames(join(top, path))) || !(await hasNames(store))) continue
    await git.text({
      folder,
      args: ['submodule', '--quiet', 'update', '--checkout', '--no-fetch', '--', path],
      settings: [
        [`submodule.${name}.url`, store],
        [`submodule.${name}.active`, 'true'],
        ['protocol.file.allow', 'always'],
      ],
      mayReach: true,
    })
    filled.push(path)
  }
  return filled
}

/** No name leads out of the folder that it stands in. */
function isPlain(name: string): boolean {
  return !name.startsWith('/') && !name.split('/').some((part) => part === '..' || part === '' || part === '.git')
}

async function hasNames(folder: string): Promise<boolean> {
  try {
    return (await readdir(folder)).length > 0
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return false
    throw error
  }
}
