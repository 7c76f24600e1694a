import type { FileChange } from '@holdfast/tool'
import { madeFolders } from '../workspace/change-file.ts'
import { type ChangingCall, type FileChangePorts, keepBytes } from '../workspace/file-change.ts'
import { FileRefusal } from '../workspace/file-refusal.ts'
import { exchangeAt, type Standing, standingAt, type Wanted } from '../workspace/standing.ts'
import { changed, refuseGitsOwn, withPlace } from '../workspace/walk-path.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { isSameStood, type NetChange, type ReadBlob, type Stood } from './change-set.ts'
import { type Meanwhile, refuseConflict } from './restore-conflict.ts'

/** What bringing something back needs. */
export interface RestorePorts {
  readonly readBlob: ReadBlob
  readonly ports: FileChangePorts
  readonly call: ChangingCall
  readonly meanwhile: Meanwhile
}

/** What stands in a place now; null also where its folder is missing, or is none. @throws {FileRefusal} */
export async function standingNow(workspace: Workspace, path: string): Promise<Standing | null> {
  try {
    return await withPlace(workspace, { path, lastLink: 'keep', missingFolders: 'refuse' }, (place) =>
      standingAt(workspace, place),
    )
  } catch (error) {
    if (error instanceof FileRefusal && ['not-found', 'not-a-folder'].includes(error.code)) return null
    throw error
  }
}

/** What stands in a place, as a log would name it. */
export function stoodOf(standing: Standing | null): Stood | null {
  switch (standing?.type) {
    case undefined:
      return null
    case 'file': {
      const { hash, bytes, mode } = standing.file
      return { entity: 'file', blob: blobOf(hash, bytes.byteLength), mode: mode & 0o777 }
    }
    case 'link':
      return { entity: 'link', blob: blobOf(standing.hash, Buffer.byteLength(standing.target)), mode: null }
    case 'folder':
      return { entity: 'folder', blob: null, mode: standing.mode }
  }
}

function blobOf(hash: string, sizeBytes: number): NonNullable<Stood['blob']> {
  return { hash, sizeBytes, mediaType: 'application/octet-stream' }
}

/** Brings back what stood in one place before a change. A link comes back as a link. @throws {FileRefusal} */
export function restorePlace(workspace: Workspace, change: NetChange, restoring: RestorePorts): Promise<void> {
  const { path, before } = change
  return workspace.inTurn(async () => {
    const current = await standingNow(workspace, path)
    const now = stoodOf(current)
    refuseConflict(change, now, restoring.meanwhile)
    // What stands there already is not read: it may be gone by now.
    if (isSameStood(now, before)) return
    const wanted = await wantedOf(before, restoring.readBlob)
    const walk = { path, lastLink: 'keep', missingFolders: before === null ? 'refuse' : 'make' } as const
    await withPlace(workspace, walk, async (place) => {
      refuseGitsOwn(place.segments)
      if (!isSameStood(stoodOf(await standingAt(workspace, place)), now)) throw changed(path)
      const [kept, next] = [await keep(current, restoring), await keep(wanted, restoring)]
      restoring.call.signal.throwIfAborted()
      const modeAfter = await exchangeAt(workspace, { place, current, wanted })
      const after = wanted === null ? null : { entity: wanted.type, blob: next, mode: modeAfter }
      const old = now === null ? null : { ...now, blob: kept }
      restoring.ports.onChanged([...madeFolders(place), ...asChanges(path, old, after)])
    })
  })
}

async function wantedOf(before: Stood | null, readBlob: ReadBlob): Promise<Wanted | null> {
  if (before === null) return null
  const { entity, blob, mode } = before
  if (entity === 'folder') return { type: 'folder', mode }
  const bytes = blob === null ? new Uint8Array() : await readBlob(blob)
  return entity === 'link' ? { type: 'link', target: Buffer.from(bytes).toString() } : { type: 'file', bytes, mode }
}

async function keep(one: Standing | Wanted | null, { ports, call }: RestorePorts): Promise<Stood['blob']> {
  const port = { blobSink: ports.blobSink, signal: call.signal }
  if (one === null || one.type === 'folder') return null
  if (one.type === 'link') return keepBytes(Buffer.from(one.target), port)
  return keepBytes('file' in one ? one.file.bytes : one.bytes, port)
}

function asChanges(path: string, before: Stood | null, after: Stood | null): readonly FileChange[] {
  const entityOf = ({ entity }: Stood) => (entity === 'file' ? {} : { entity })
  const old = before && {
    ...(before.blob === null ? {} : { before: before.blob }),
    ...(before.mode === null ? {} : { modeBefore: before.mode }),
  }
  const next = after && {
    ...(after.blob === null ? {} : { after: after.blob }),
    ...(after.mode === null ? {} : { modeAfter: after.mode }),
  }
  if (before && after && before.entity === after.entity)
    return [{ path, kind: 'changed', ...entityOf(after), ...old, ...next }]
  return [
    ...(before ? [{ path, kind: 'deleted', ...entityOf(before), ...old } as const] : []),
    ...(after ? [{ path, kind: 'created', ...entityOf(after), ...next } as const] : []),
  ]
}
