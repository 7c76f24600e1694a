import { randomUUID } from 'node:crypto'
import type { ChangeTarget } from '@holdfast/conversation'
import { type FileToRestoreRow, routes } from '@holdfast/protocol'
import { CliError } from '../../cli-error.ts'
import { reachServer } from '../reach/reach-server.ts'
import { conversationIdOf } from './conversations.ts'

/** What `holdfast files` was asked for. */
export interface ChangedFilesOptions {
  readonly run?: string
  readonly set?: string
  readonly since?: string
  readonly restore: boolean
  /** Whether what changed while a call ran, and no tool told, comes back as well. */
  readonly meanwhile: boolean
  readonly json: boolean
  readonly dataDir?: string
  readonly workspace?: string
}

/** Shows what restoring files of a conversation would do, or does it. @returns the exit code: 1 when a file was left alone. */
export async function changedFiles(name: string, options: ChangedFilesOptions): Promise<number> {
  const target = targetOf(options)
  const { dataDir, workspace, restore, meanwhile, json } = options
  const server = await reachServer({
    detect: false,
    looksOnly: true,
    ...(dataDir === undefined ? {} : { dataDir }),
    ...(workspace === undefined ? {} : { workspace }),
  })
  try {
    const conversationId = await conversationIdOf(server.api, name)
    const params = { id: conversationId }
    if (!restore) {
      const { files } = await server.api.call(routes.planRestore, { params, query: queryOf(target) })
      process.stdout.write(json ? `${JSON.stringify({ files })}\n` : planInWords(files))
      return 0
    }
    const body = { commandId: randomUUID(), target, ...(meanwhile ? { meanwhile } : {}) }
    const done = await server.api.call(routes.restoreFiles, { params, body })
    if (json) process.stdout.write(`${JSON.stringify(done)}\n`)
    else {
      for (const path of done.restored) process.stdout.write(`restored  ${path}\n`)
      for (const { reason } of done.conflicts) process.stderr.write(`left alone: ${reason}\n`)
      if (done.seq !== null)
        process.stderr.write(`Undo: holdfast files ${conversationId} --set ${done.seq} --restore\n`)
    }
    return done.conflicts.length === 0 ? 0 : 1
  } finally {
    await server.close()
  }
}

function targetOf({ run, set, since }: ChangedFilesOptions): ChangeTarget {
  const given = [run, set, since].filter((value) => value !== undefined)
  if (given.length > 1) throw new CliError('E_USAGE', 2, 'Give one of --run, --set and --since.')
  if (run !== undefined) return { type: 'run', runId: run }
  const seq = Number(set ?? since ?? 0)
  if (!Number.isSafeInteger(seq) || seq < 0 || (set !== undefined && seq === 0))
    throw new CliError('E_USAGE', 2, `${set ?? since} is not the number of an entry.`)
  return set === undefined ? { type: 'since', seq } : { type: 'set', seq }
}

function queryOf(target: ChangeTarget): Readonly<Record<string, string>> {
  switch (target.type) {
    case 'run':
      return { run: target.runId }
    case 'set':
    case 'since':
      return { [target.type]: String(target.seq) }
  }
}

const SEEN_ONLY = 'changed meanwhile: seen while a call ran, which may not have done it; --meanwhile restores it too'
const ACTS = { create: 'comes back', change: 'goes back', delete: 'is deleted', nothing: 'stays' } as const

function planInWords(files: readonly FileToRestoreRow[]): string {
  if (files.length === 0) return 'No files were changed there.\n'
  return files
    .map(
      ({ path, entity, act, diff, conflict, seenOnly }) =>
        `${path}${entity === 'folder' ? '/' : ''}  ${ACTS[act]}${conflict === null ? '' : `: ${conflict}`}` +
        `${seenOnly ? ` (${SEEN_ONLY})` : ''}\n${diff}\n`,
    )
    .join('')
}
