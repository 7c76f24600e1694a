import { randomUUID } from 'node:crypto'
import { type ChangedFileRow, routes } from '@holdfast/protocol'
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
  const query = queryOf(options)
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
    const { target, base, files } = await server.api.call(routes.readChanges, { params, query })
    if (!restore) {
      process.stdout.write(json ? `${JSON.stringify({ target, base, files })}\n` : changesInWords(files))
      return 0
    }
    const decisions = files.map(({ path, id }) => ({ path, seen: id, keep: false }))
    const body = { commandId: randomUUID(), target, decisions, ...(meanwhile ? { meanwhile } : {}) }
    const done =
      decisions.length === 0
        ? { seq: null, restored: [], conflicts: [] }
        : await server.api.call(routes.decideChanges, { params, body })
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

/** What a conversation did, if nothing is chosen. */
function queryOf({ run, set, since }: ChangedFilesOptions): Readonly<Record<string, string>> {
  const given = [run, set, since].filter((value) => value !== undefined)
  if (given.length > 1) throw new CliError('E_USAGE', 2, 'Give one of --run, --set and --since.')
  if (run !== undefined) return { run }
  if (since !== undefined && SINCE.has(since)) return { since }
  const seq = Number(set ?? since ?? 0)
  if (!Number.isSafeInteger(seq) || seq < 0 || (set !== undefined && seq === 0))
    throw new CliError('E_USAGE', 2, `${set ?? since} is not the number of an entry.`)
  return set === undefined ? { since: String(seq) } : { set: String(seq) }
}

const SINCE: ReadonlySet<string> = new Set(['turn', 'conversation', 'base'])

const SEEN_ONLY = 'changed while a call ran, which may not have done it; --meanwhile restores it too'
const ACTS = { create: 'comes back', change: 'goes back', delete: 'is deleted', nothing: 'stays' } as const

function changesInWords(files: readonly ChangedFileRow[]): string {
  if (files.length === 0) return 'No files were changed there.\n'
  return files
    .map((file) => {
      const { path, from, entity, act, conflict, seenOnly } = file
      const moved = from === undefined ? '' : ` (was ${from})`
      const head = `${path}${entity === 'folder' ? '/' : ''}${moved}  ${ACTS[act]}${conflict === null ? '' : `: ${conflict}`}`
      return `${head}${seenOnly ? ` (${SEEN_ONLY})` : ''}\n${diffInWords(file)}\n`
    })
    .join('')
}

/** What the change did: restoring does the opposite. */
function diffInWords({ path, from, status, hunks, bytes, rights, leads, isCut }: ChangedFileRow): string {
  const names = [
    `--- ${status === 'added' ? '/dev/null' : `a/${from ?? path}`}`,
    `+++ ${status === 'deleted' ? '/dev/null' : `b/${path}`}`,
  ]
  const facts = [
    ...(bytes ? [` Not text: ${bytes.before ?? 0} bytes before, ${bytes.after ?? 0} bytes after.`] : []),
    ...(rights ? [` Rights: ${rights.before.toString(8)} before, ${rights.after.toString(8)} after.`] : []),
    ...(leads ? [` A link: to ${leads.before ?? 'nothing'} before, to ${leads.after ?? 'nothing'} after.`] : []),
    ...(isCut ? [' Not shown: there are too many changes to show all.'] : []),
  ]
  const lines = hunks.flatMap((hunk) => [`@@ -${hunk.oldStart} +${hunk.newStart} @@ ${hunk.state}`, ...hunk.lines])
  return [...names, ...facts, ...lines].join('\n')
}
