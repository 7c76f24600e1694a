import { randomUUID } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import type { Clock } from '@holdfast/conversation'
import type { Workspace } from '../workspace/workspace.ts'
import { packPathOf } from './kept-survey.ts'
import type { SeenChange } from './survey.ts'
import type { KeptName, SurveyAnswer, SurveyRequest, SurveyThreadOptions, ToldChange } from './survey-messages.ts'

/** Looks at folders, remembers what stood there, and says what has changed. */
export interface Surveyor {
  /** Looks at a folder now; it is to be compared with `since`. Null where that failed or took too long. */
  look(workspace: Workspace, since: number | null): Promise<number | null>
  /** Null where one of the surveys is lost. */
  compare(surveys: { readonly before: number; readonly after: number }): Promise<SeenChanges | null>
  /** Null where the content is lost. */
  read(hash: string): Promise<Uint8Array | null>
  /** Lets a survey say what a tool left, so that this is not taken for something else's doing. */
  amend(surveyId: number, changes: readonly ToldChange[]): void
  /** Keeps a content that a tool is about to put somewhere, so that it can be read as what stood there. */
  keepContent(bytes: Uint8Array): void
  release(surveyId: number): void
  /** Puts a survey on the disk under a name, so that it outlives a killed process; resolves when it is there. */
  keep(surveyId: number, kept: KeptSurveyName): Promise<void>
  /** Removes what lies under a name. */
  forget(name: string): void
  /** What lies under a name, where it is of this folder and was kept for one of these calls. */
  resume(kept: KeptSurveyName): Promise<ResumedSurvey>
  /** Removes what it kept for this process. */
  close(): Promise<void>
}

/** What a survey on the disk is of: a folder, a name, and the calls that run meanwhile. */
export interface KeptSurveyName extends KeptName {
  readonly workspace: Workspace
}

/** What a process that is gone has left: a survey, nothing, or something that cannot be read. */
export type ResumedSurvey =
  | { readonly type: 'survey'; readonly surveyId: number }
  | { readonly type: 'nothing' }
  | { readonly type: 'unreadable' }

/** Where two surveys differ. */
export interface SeenChanges {
  readonly changes: readonly SeenChange[]
  /** How many more there are. */
  readonly unlistedCount: number
}

/** Bounds of looking. */
export const SURVEY_LIMITS = {
  /** Files, links and folders of one folder that are looked at. */
  entryCount: 50_000,
  /** A larger file is seen to change, and not kept. */
  fileBytes: 16 << 20,
  /** Contents that are kept, of all folders together. */
  packBytes: 512 << 20,
  /** A look that takes longer is given up. */
  lookMs: 20_000,
  /** Changes of one call that are told one by one. */
  changeCount: 2_000,
  /** Contents of one call that are kept in the log's store. */
  changedBytes: 64 << 20,
} as const

/** What a surveyor works with. */
export interface SurveyorOptions {
  /** A folder that commands do not write in: contents lie there, and surveys while calls run. */
  readonly folder: string
  readonly clock: Clock
  /** Other bounds than the usual ones. */
  readonly limits?: Partial<Readonly<Record<'entryCount' | 'fileBytes' | 'packBytes', number>>>
}

const EXTENSION = import.meta.url.endsWith('.ts') ? '.ts' : '.js'
/** Megabytes of the thread. A tree that needs more ends it, and is not looked at. */
const MEMORY_MB = 512

interface Thread {
  readonly worker: Worker
  readonly waiting: Map<number, (answer: SurveyAnswer | null) => void>
}

/** Makes a surveyor. Its thread starts with the first look, and keeps no process alive. */
export function createSurveyor({ folder, clock, limits }: SurveyorOptions): Surveyor {
  const { entryCount, fileBytes, packBytes } = { ...SURVEY_LIMITS, ...limits }
  let thread: Thread | null = null
  let requestCount = 0
  /** What lies on the disk by this process. */
  const names = new Set<string>()

  function start(): Thread {
    const options: SurveyThreadOptions = {
      folder,
      packPath: packPathOf(folder, { pid: process.pid, id: randomUUID() }),
      nowMs: clock.now(),
      packBytes,
      limits: { entryCount, fileBytes },
    }
    const worker = new Worker(new URL(`./survey-thread${EXTENSION}`, import.meta.url), {
      workerData: options,
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    })
    const started: Thread = { worker, waiting: new Map() }
    const lose = () => {
      if (thread === started) thread = null
      for (const answer of started.waiting.values()) answer(null)
      started.waiting.clear()
    }
    worker.on('message', (answer: SurveyAnswer) => {
      started.waiting.get(answer.requestId)?.(answer)
      started.waiting.delete(answer.requestId)
      if (started.waiting.size === 0) worker.unref()
    })
    worker.on('error', lose)
    worker.on('exit', lose)
    worker.unref()
    return started
  }

  /** Null when the thread is lost, or refuses. */
  async function ask(wish: WithoutId<SurveyRequest>, limitMs: number | null): Promise<SurveyAnswer | null> {
    thread ??= start()
    const { worker, waiting } = thread
    const requestId = ++requestCount
    const { promise, resolve } = Promise.withResolvers<SurveyAnswer | null>()
    waiting.set(requestId, resolve)
    worker.ref()
    worker.postMessage({ ...wish, requestId })
    const cancel = limitMs === null ? () => {} : clock.after(limitMs, () => resolve(null))
    const answer = await promise
    cancel()
    return answer
  }

  return {
    async look({ rootPath, holding, hardLinks, closed }, since) {
      const wish = {
        type: 'look',
        rootPath,
        holding,
        hardLinks,
        closedPaths: closed.paths,
        nowMs: clock.now(),
        since,
      } as const
      const answer = await ask(wish, SURVEY_LIMITS.lookMs)
      return answer?.type === 'looked' ? answer.surveyId : null
    },
    async compare(surveys) {
      const answer = await ask({ type: 'compare', ...surveys, limitCount: SURVEY_LIMITS.changeCount }, null)
      return answer?.type === 'compared' ? answer : null
    },
    async read(hash) {
      const answer = await ask({ type: 'read', hash }, null)
      return answer?.type === 'bytes' ? answer.bytes : null
    },
    amend(surveyId, changes) {
      void ask({ type: 'amend', surveyId, changes }, null)
    },
    keepContent(bytes) {
      void ask({ type: 'keep-content', bytes }, null)
    },
    release(surveyId) {
      void ask({ type: 'release', surveyId }, null)
    },
    async keep(surveyId, { workspace, name, callIds }) {
      names.add(name)
      const kept = { name, callIds }
      await ask({ type: 'keep', surveyId, rootPath: workspace.rootPath, kept }, SURVEY_LIMITS.lookMs)
    },
    forget(name) {
      names.delete(name)
      void ask({ type: 'forget', name }, null)
    },
    async resume({ workspace, name, callIds }) {
      const kept = { name, callIds }
      const answer = await ask({ type: 'resume', rootPath: workspace.rootPath, kept }, SURVEY_LIMITS.lookMs)
      if (answer?.type === 'looked') return { type: 'survey', surveyId: answer.surveyId }
      return { type: answer?.type === 'nothing' ? 'nothing' : 'unreadable' }
    },
    async close() {
      if (thread === null) return
      for (const name of names) await ask({ type: 'forget', name }, SURVEY_LIMITS.lookMs)
      await ask({ type: 'end' }, SURVEY_LIMITS.lookMs)
      await thread?.worker.terminate()
    },
  }
}

type WithoutId<Request> = Request extends unknown ? Omit<Request, 'requestId'> : never
