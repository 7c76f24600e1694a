import type { Git } from './git.ts'
import { findUncommitted } from './uncommitted.ts'

/**
 * Commits what `git status` names, file by file, to what is checked out in a worktree. No hook runs.
 *
 * @returns the commit that stands at the end, and whether it is new.
 * @throws {WorktreeRefusal} where git refuses, or a repository in it has work of its own.
 */
export async function commitAll(
  git: Git,
  { folder, message }: { readonly folder: string; readonly message: string },
): Promise<{ readonly commit: string; readonly isNew: boolean }> {
  const found = await findUncommitted(git, folder)
  const headOf = async () => (await git.text({ folder, args: ['rev-parse', '--verify', 'HEAD^{commit}'] })).trim()
  if (found.length === 0) return { commit: await headOf(), isNew: false }
  await git.text({
    folder,
    args: ['add', '--pathspec-from-file=-', '--pathspec-file-nul', '--'],
    input: found.map(({ path }) => path).join('\0'),
    environment: { GIT_LITERAL_PATHSPECS: '1' },
  })
  const isStaged = (await git.run({ folder, args: ['diff', '--cached', '--quiet', '--no-ext-diff'] })).exitCode !== 0
  // Line ends that git takes for the same are no change to commit.
  if (!isStaged) return { commit: await headOf(), isNew: false }
  const args = ['commit', '--quiet', '--no-verify', '--no-gpg-sign', '--cleanup=whitespace', '-F', '-']
  const input = Buffer.from(message, 'utf8').toString('latin1')
  await git.text({ folder, args, input, environment: await identityOf(git, folder) })
  return { commit: await headOf(), isNew: true }
}

/** Who commits: the person whose account it is, where git knows who that is. */
export async function identityOf(git: Git, folder: string): Promise<Readonly<Record<string, string>>> {
  if ((await git.run({ folder, args: ['config', 'user.email'] })).exitCode === 0) return {}
  return {
    GIT_AUTHOR_NAME: 'Holdfast',
    GIT_AUTHOR_EMAIL: 'holdfast@localhost',
    GIT_COMMITTER_NAME: 'Holdfast',
    GIT_COMMITTER_EMAIL: 'holdfast@localhost',
  }
}
