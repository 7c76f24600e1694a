import { type BlobReference, type Clock, createTurns } from '@holdfast/conversation'
import type { BlobSink, FileChange, ToolContext } from '@holdfast/tool'
import { keepBytes } from '../workspace/file-change.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { SeenChange, SeenContent } from './survey.ts'
import type { ToldChange } from './survey-messages.ts'
import { SURVEY_LIMITS, type Surveyor } from './surveyor.ts'

/** Sees what commands and programs of others do to folders, which no tool tells. */
export interface FolderWatch {
  /** The watch of one conversation. */
  watch(options: WatchOptions): CallWatch
  /**
   * Takes note of what a tool told that it did, or a person brought back: calls that run meanwhile, also those of other
   * conversations, did not do it.
   */
  told(workspace: Workspace, changes: readonly FileChange[]): void
  /**
   * A sink for tools that change a folder: what passes it while somebody watches that folder can be kept for them too, who
   * may be other conversations of other owners. [LOG11]
   */
  heard(workspace: Workspace, blobSink: BlobSink): BlobSink
  /**
   * What became of the folder since calls began during which an earlier process was killed, by the survey that it left on
   * the disk. What anybody else changed since cannot be told apart: all of it was seen with others.
   */
  left(calls: LeftCalls): Promise<readonly FileChange[]>
  close(): Promise<void>
}

/** What is watched, and for whom. */
export interface WatchOptions {
  readonly workspace: Workspace
  /** Keeps what was before and what came after. */
  readonly blobSink: BlobSink
  /** Whether something that a call began still runs: then the folder is watched beyond the call. */
  readonly isBusy: () => boolean
  /** Under which what stood there lies on the disk while a call runs, such as the id of its conversation; null for nowhere. */
  readonly name: string | null
}

/** Calls during which a process was killed. */
export interface LeftCalls extends Pick<WatchOptions, 'workspace' | 'blobSink'> {
  readonly name: string
  readonly callIds: readonly string[]
}

/** What a call reports to. */
type Report = ToolContext['report']
type WatchedCall = Pick<ToolContext, 'callId' | 'report'>

/** Sees what happens to a folder while calls of one conversation run. */
export interface CallWatch {
  /**
   * Runs the work of a call, and reports what became of the folder meanwhile, however the work ends. What anybody else
   * changed meanwhile cannot be told apart. [WS1]
   */
  around<Value>(call: WatchedCall, work: () => Promise<Value>): Promise<Value>
  /** Reports what has happened since the last call that looked, where something went on beyond its call. */
  catchUp(report: Report): Promise<void>
  /** Looks now, for something that went on beyond its call has ended. The next call reports it, and hears of a failure. */
  rest(): Promise<void>
}

/**
 * So long after the last call its survey lies on the disk, in milliseconds: what the call left is durable in the log only a
 * moment after it was reported, and a process that is killed before needs it.
 */
const FORGET_MS = 60_000
/** How long the contents of one call may take to be kept. */
const KEEP_MS = 60_000
const KEPT_AT_ONCE = 8

/** A time for which a folder is watched. */
interface Period {
  readonly workspace: Workspace
  /** Null when the folder could not be looked at. */
  surveyId: number | null
  /** Whether another conversation was at work meanwhile. */
  isShared: boolean
}

/** Makes the watch of a process. */
export function createFolderWatch({
  surveyor,
  clock,
}: {
  readonly surveyor: Surveyor
  readonly clock: Clock
}): FolderWatch {
  const open = new Set<Period>()
  /** What takes back the removal of a survey, by its name. */
  const forgetting = new Map<string, () => void>()

  function remember(name: string): void {
    forgetting.get(name)?.()
    forgetting.delete(name)
  }

  /** What nobody needs once the log says it does not stay on the disk. [AGENT74] */
  function forgetLater(name: string): void {
    remember(name)
    const forget = (): void => {
      forgetting.delete(name)
      surveyor.forget(name)
    }
    forgetting.set(name, clock.after(FORGET_MS, forget))
  }

  async function begin(workspace: Workspace): Promise<Period> {
    const surveyId = await workspace.inTurn(() => surveyor.look(workspace, null))
    const period: Period = { workspace, surveyId, isShared: false }
    share(period)
    open.add(period)
    return period
  }

  function share(period: Period): void {
    for (const other of open) {
      if (other === period || pathBetween(other.workspace, period.workspace) === null) continue
      other.isShared = true
      period.isShared = true
    }
  }

  /** What has changed in a period, which goes on from here. */
  async function see(period: Period, blobSink: BlobSink): Promise<readonly FileChange[]> {
    const { workspace, surveyId: before } = period
    // A tool that changes a file tells it before its turn is over.
    const after = await workspace.inTurn(() => surveyor.look(workspace, before))
    const seen = period.isShared ? 'with-others' : 'alone'
    const found = before === null || after === null ? null : await surveyor.compare({ before, after })
    if (before !== null) surveyor.release(before)
    period.surveyId = after
    period.isShared = false
    share(period)
    if (found === null) return [{ ...WHOLE_FOLDER, notKept: 'not-seen', seen }]
    const limit = new AbortController()
    const cancel = clock.after(KEEP_MS, () => limit.abort(new Error('Keeping what changed took too long')))
    const keeping: Keeping = { surveyor, blobSink, signal: limit.signal, leftBytes: SURVEY_LIMITS.changedBytes }
    try {
      const changes: FileChange[] = []
      for (let at = 0; at < found.changes.length; at += KEPT_AT_ONCE) {
        const next = found.changes.slice(at, at + KEPT_AT_ONCE)
        changes.push(...(await Promise.all(next.map(async (change) => toFileChange(change, keeping)))))
      }
      const unlisted = { ...WHOLE_FOLDER, notKept: 'too-many' } as const
      return [...changes, ...(found.unlistedCount > 0 ? [unlisted] : [])].map((change) => ({ ...change, seen }))
    } finally {
      cancel()
    }
  }

  return {
    async left({ workspace, blobSink, name, callIds }) {
      const found = await surveyor.resume({ workspace, name, callIds })
      if (found.type === 'nothing') return []
      const surveyId = found.type === 'survey' ? found.surveyId : null
      const period: Period = { workspace, surveyId, isShared: true }
      const changes = await see(period, blobSink)
      if (period.surveyId !== null) surveyor.release(period.surveyId)
      return changes
    },
    watch({ workspace, blobSink, isBusy, name }) {
      const inTurn = createTurns()
      let period: Period | null = null
      const callIds = new Set<string>()
      /** Seen, and no call was there to note it with. */
      let waiting: readonly FileChange[] = []
      let failure: { readonly error: unknown } | null = null

      async function look(): Promise<void> {
        if (period === null) return
        waiting = [...waiting, ...(await see(period, blobSink))]
        if (callIds.size > 0 || isBusy()) return
        if (period.surveyId !== null) surveyor.release(period.surveyId)
        open.delete(period)
        period = null
        if (name !== null) forgetLater(name)
      }

      const note = (report: Report) =>
        inTurn(async () => {
          const earlier = failure
          failure = null
          if (earlier !== null) throw earlier.error
          await look()
          const changes = waiting
          waiting = []
          if (changes.length > 0) report({ type: 'files-changed', changes })
        })

      return {
        async around({ callId, report }, work) {
          callIds.add(callId)
          try {
            await inTurn(async () => {
              period ??= await begin(workspace)
              if (name !== null) remember(name)
              if (name !== null && period.surveyId !== null)
                await surveyor.keep(period.surveyId, { workspace, name, callIds: [...callIds] })
            })
            return await work()
          } finally {
            callIds.delete(callId)
            await note(report)
          }
        },
        catchUp: note,
        rest: () =>
          inTurn(look).catch((error: unknown) => {
            failure = { error }
          }),
      }
    },
    told(workspace, changes) {
      for (const period of open) {
        const path = pathBetween(workspace, period.workspace)
        if (path === null || period.surveyId === null) continue
        surveyor.amend(
          period.surveyId,
          changes.flatMap((change) => toldIn(change, path)),
        )
      }
    },
    heard: (workspace, blobSink) => ({
      keep(content, options) {
        const isWatched = [...open].some((period) => pathBetween(workspace, period.workspace) !== null)
        return blobSink.keep(isWatched ? passedOn(content, surveyor) : content, options)
      },
    }),
    async close() {
      for (const name of [...forgetting.keys()]) remember(name)
      await surveyor.close()
    },
  }
}

/** The content as it is; once all of it has passed it is kept here too. */
async function* passedOn(content: AsyncIterable<Uint8Array>, surveyor: Surveyor): AsyncGenerator<Uint8Array> {
  const pieces: Uint8Array[] = []
  for await (const piece of content) {
    pieces.push(piece)
    yield piece
  }
  surveyor.keepContent(Buffer.concat(pieces))
}

const WHOLE_FOLDER = { path: '.', kind: 'changed', entity: 'folder' } as const

interface Keeping {
  readonly surveyor: Surveyor
  readonly blobSink: BlobSink
  readonly signal: AbortSignal
  leftBytes: number
}

async function toFileChange(change: SeenChange, keeping: Keeping): Promise<FileChange> {
  const { path, kind, entity, modeBefore, modeAfter, notKept } = change
  const [before, after] = [await kept(change.before, keeping), await kept(change.after, keeping)]
  const isLost = notKept === null && (before === 'lost' || after === 'lost')
  return {
    path,
    kind,
    ...(entity === 'file' ? {} : { entity }),
    ...(before === null || before === 'lost' ? {} : { before }),
    ...(after === null || after === 'lost' ? {} : { after }),
    ...(modeBefore === null ? {} : { modeBefore }),
    ...(modeAfter === null ? {} : { modeAfter }),
    ...(notKept === null ? (isLost ? { notKept: 'too-many' as const } : {}) : { notKept }),
  }
}

/** A body in the store of the log, within the bound of one call. */
async function kept(content: SeenContent | null, keeping: Keeping): Promise<BlobReference | 'lost' | null> {
  if (content === null) return null
  const { surveyor, blobSink, signal } = keeping
  if (signal.aborted) return 'lost'
  if (content.type === 'link') return keepBytes(Buffer.from(content.target), { blobSink, signal })
  if (content.sizeBytes > keeping.leftBytes) return 'lost'
  keeping.leftBytes -= content.sizeBytes
  const bytes = await surveyor.read(content.hash)
  return bytes === null ? 'lost' : keepBytes(bytes, { blobSink, signal })
}

/** How a path of one folder begins in another: empty for the same, with `../` where it lies above; null where neither holds the other. */
function pathBetween(of: Workspace, from: Workspace): string | null {
  const [path, root] = [`${of.rootPath}/`, `${from.rootPath}/`]
  if (path.startsWith(root)) return path.slice(root.length)
  return root.startsWith(path) ? `../${root.slice(path.length)}` : null
}

function toldIn({ path, kind, entity, after, modeAfter }: FileChange, between: string): readonly ToldChange[] {
  const above = between.startsWith('../') ? between.slice(3) : null
  // Of a folder around ours, only what lies in ours.
  if (above !== null && !path.startsWith(above)) return []
  const own = above === null ? `${between}${path}` : path.slice(above.length)
  const mode = modeAfter ?? 0
  const what = entity ?? 'file'
  if (kind === 'deleted') return [{ path: own, entity: what, now: null, target: null }]
  const now = { hash: after?.hash ?? '', sizeBytes: after?.sizeBytes ?? 0, mode }
  return what === 'link' ? [] : [{ path: own, entity: what, now, target: null }]
}
