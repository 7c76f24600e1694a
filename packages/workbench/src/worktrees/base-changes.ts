import { createHash } from 'node:crypto'
import type { BlobReference } from '@holdfast/conversation'
import { findPlace, type NetChange, type ReadBlob, type Stood, type Workspace } from '@holdfast/toolbox'
import type { Worktree } from './book.ts'
import { beginningOf } from './carry.ts'
import type { Git } from './git.ts'
import { utf8 } from './repository.ts'
import { WorktreeRefusal } from './worktree-refusal.ts'

/** What a worktree holds that its base does not. [WS9] */
export interface BaseChanges {
  readonly base: string
  readonly changes: readonly NetChange[]
  readonly readBlob: ReadBlob
}

/** Bytes of files, before and after together, that are held to be compared. */
const MOST_BYTES = 256 << 20
const FILE_BYTES = 16 << 20

/**
 * Compares the files of a worktree, committed or not, with the commit at which its branch left the one it began at. What git
 * ignores is not among them.
 *
 * @param workspace - the folder in the worktree that the conversation works in: what lies outside of it is not looked at.
 * @throws {WorktreeRefusal}
 */
export async function baseChanges(
  git: Git,
  worktree: Pick<Worktree, 'folder' | 'baseBranch' | 'baseCommit' | 'isCarried'>,
  { workspace, signal }: { readonly workspace: Workspace; readonly signal: AbortSignal },
): Promise<BaseChanges> {
  const base = await baseOf(git, worktree)
  const folder = workspace.rootPath
  const raw = await git.text({
    folder,
    args: [
      'diff',
      '--raw',
      '-z',
      '--no-renames',
      '--no-abbrev',
      '--relative',
      '--ignore-submodules=all',
      base,
      '--',
      '.',
    ],
  })
  const others = await git.text({ folder, args: ['ls-files', '--others', '--exclude-standard', '-z', '--', '.'] })
  const listed: readonly Listed[] = [
    ...rawLines(raw),
    ...others
      .split('\0')
      .filter((path) => path !== '' && !path.endsWith('/'))
      .map((path): Listed => ({ path: utf8(path), old: null })),
  ]
  const bodies = await oldBodies(git, { folder, listed })
  const held = new Map<string, Uint8Array>()
  let leftBytes = MOST_BYTES
  const keep = (bytes: Uint8Array): BlobReference => {
    const hash = createHash('sha256').update(bytes).digest('hex')
    held.set(hash, bytes)
    leftBytes -= bytes.byteLength
    return { hash, sizeBytes: bytes.byteLength, mediaType: 'application/octet-stream' }
  }
  const changes: NetChange[] = []
  for (const { path, old } of listed) {
    signal.throwIfAborted()
    const found = await findPlace(workspace, path)
    const after = found.stood
    const bytes = old === null ? null : (bodies.get(old.id) ?? null)
    const isLost = 'reason' in found || (old !== null && bytes === null) || leftBytes < 0
    if (found.bytes !== null) keep(found.bytes)
    const before = old === null || bytes === null ? null : stoodOf(old, { blob: keep(bytes), after })
    if (!isLost && isSame(before, after)) continue
    changes.push({ path, before, after, isInterrupted: false, lost: isLost ? 'too-large' : null })
  }
  return {
    base,
    changes,
    readBlob: async ({ hash }) => {
      const bytes = held.get(hash)
      if (bytes) return bytes
      throw new WorktreeRefusal('system', `The content ${hash} is not held`)
    },
  }
}

async function baseOf(
  git: Git,
  worktree: Pick<Worktree, 'folder' | 'baseBranch' | 'baseCommit' | 'isCarried'>,
): Promise<string> {
  const { folder, baseBranch, baseCommit } = worktree
  if (baseBranch === null) return baseCommit
  const found = await git.run({ folder, args: ['merge-base', 'HEAD', `refs/heads/${baseBranch}`] })
  return found.exitCode === 0 ? beginningOf(git, worktree, found.stdout.trim()) : baseCommit
}

interface Listed {
  readonly path: string
  /** Null for what the base does not have. */
  readonly old: { readonly mode: string; readonly id: string } | null
}

/** `:100644 100755 OLD NEW M\0path\0` for each. */
function rawLines(raw: string): readonly Listed[] {
  const words = raw.split('\0')
  const found: Listed[] = []
  for (let at = 0; at + 1 < words.length; at += 2) {
    const [mode = '', , id = ''] = (words[at] ?? '').slice(1).split(' ')
    if (mode === GIT_LINK) continue
    found.push({ path: utf8(words[at + 1] ?? ''), old: mode === '000000' ? null : { mode, id } })
  }
  return found
}

/** A submodule, which is a repository of its own. */
const GIT_LINK = '160000'

/** The bodies that the base has, as git would write them into a working tree. */
async function oldBodies(
  git: Git,
  { folder, listed }: { readonly folder: string; readonly listed: readonly Listed[] },
): Promise<ReadonlyMap<string, Uint8Array>> {
  const asked = listed.flatMap(({ path, old }) => (old === null ? [] : [{ path, ...old }]))
  const bodies = new Map<string, Uint8Array>()
  if (asked.length === 0) return bodies
  const sizes = await git.text({
    folder,
    args: ['cat-file', '--batch-check=%(objectname) %(objectsize)'],
    input: asked.map(({ id }) => `${id}\n`).join(''),
  })
  const small = new Set(
    sizes.split('\n').flatMap((line) => {
      const [id = '', size] = line.split(' ')
      return Number(size) <= FILE_BYTES ? [id] : []
    }),
  )
  const wanted = [...new Set(asked.map(({ id }) => id))].filter((id) => small.has(id))
  if (wanted.length === 0) return bodies
  const printed = Buffer.from(
    await git.text({ folder, args: ['cat-file', '--batch'], input: wanted.map((id) => `${id}\n`).join('') }),
    'latin1',
  )
  let at = 0
  for (const id of wanted) {
    const end = printed.indexOf(0x0a, at)
    const [, , size] = printed.subarray(at, end).toString('latin1').split(' ')
    const from = end + 1
    at = from + Number(size)
    bodies.set(id, printed.subarray(from, at))
    at += 1
  }
  return bodies
}

function stoodOf(
  { mode }: { readonly mode: string },
  { blob, after }: { readonly blob: BlobReference; readonly after: Stood | null },
): Stood {
  if (mode === '120000') return { entity: 'link', blob, mode: null }
  const mayRun = mode === '100755'
  // Git knows of rights only whether a file may be run.
  const own = after?.entity === 'file' ? after.mode : null
  if (own === null) return { entity: 'file', blob, mode: mayRun ? 0o755 : 0o644 }
  const runs = (own & 0o100) !== 0
  return { entity: 'file', blob, mode: runs === mayRun ? own : mayRun ? own | 0o111 : own & ~0o111 }
}

function isSame(before: Stood | null, after: Stood | null): boolean {
  if (before === null || after === null) return before === after
  return before.entity === after.entity && before.blob?.hash === after.blob?.hash && before.mode === after.mode
}
