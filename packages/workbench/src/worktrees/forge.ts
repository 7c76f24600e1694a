import type { Worktree } from './book.ts'
import type { Git } from './git.ts'
import { utf8 } from './repository.ts'
import { WorktreeRefusal } from './worktree-refusal.ts'

/**
 * Where a branch is pushed to: the remote of its base, else `origin`, else the only one.
 *
 * @throws {WorktreeRefusal} where there is none, or it is reached by a program that the repository names.
 */
export async function remoteOf(
  git: Git,
  { folder, baseBranch }: Pick<Worktree, 'folder' | 'baseBranch'>,
): Promise<{ readonly name: string; readonly url: string }> {
  const names = (await git.text({ folder, args: ['remote'] })).split('\n').filter((name) => name !== '')
  const ofBase =
    baseBranch === null
      ? ''
      : (await git.run({ folder, args: ['config', `branch.${baseBranch}.remote`] })).stdout.trim()
  const name = [ofBase, 'origin', names.length === 1 ? (names[0] ?? '') : ''].find((wanted) => names.includes(wanted))
  if (name === undefined)
    throw new WorktreeRefusal(
      'no-remote',
      `The repository has no remote to push to. Add one (git remote add origin URL), or keep the branch.`,
    )
  const url = utf8((await git.text({ folder, args: ['remote', 'get-url', '--push', name] })).trim())
  if (!/^(?:https?:\/\/|ssh:\/\/|file:\/\/|[\w.-]+@[\w.-]+:|\/|\.{1,2}\/)/.test(url))
    throw new WorktreeRefusal(
      'no-remote',
      `The remote ${name} is not reached by https, ssh or a path; nothing was pushed.`,
    )
  return { name, url }
}

/** The page on which a pull request is opened; null for a host that is not known. */
export function compareLink(
  url: string,
  { branch, base }: { readonly branch: string; readonly base: string | null },
): string | null {
  const at =
    /^(?:https?|ssh):\/\/(?:[^@/]*@)?([^/:]+)(?::\d+)?\/(.+?)(?:\.git)?\/?$/.exec(url) ??
    /^[^@/]+@([^:/]+):(.+?)(?:\.git)?\/?$/.exec(url)
  const [, host = '', path = ''] = at ?? []
  if (host === '' || path === '') return null
  const [into, from] = [base ?? '', branch].map((name) => name.split('/').map(encodeURIComponent).join('/'))
  const home = `https://${host}/${path.split('/').map(encodeURIComponent).join('/')}`
  if (/gitlab/i.test(host)) {
    const query = new URLSearchParams({ 'merge_request[source_branch]': branch })
    if (base !== null) query.set('merge_request[target_branch]', base)
    return `${home}/-/merge_requests/new?${query}`
  }
  if (/bitbucket/i.test(host)) return `${home}/pull-requests/new?${new URLSearchParams({ source: branch })}`
  if (!/github|codeberg|gitea|forgejo/i.test(host)) return null
  const range = into === '' ? from : `${into}...${from}`
  return `${home}/compare/${range}${/github/i.test(host) ? '?expand=1' : ''}`
}
