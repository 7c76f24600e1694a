import { Worker } from 'node:worker_threads'
import type { Clock } from '@holdfast/conversation'
import { type DrawnMap, drawMap, type MapBudget } from './text/draw-map.ts'
import type { RankedMap } from './text/ranked-map.ts'
import type { MapAnswer, MapRequest, MapThreadOptions } from './thread/map-messages.ts'

/** Draws maps of repositories, in a thread of its own. */
export interface RepositoryMaps {
  /**
   * A map of a folder as it is now, for a text that it is to be about.
   *
   * @returns null when the thread was lost or the signal came first.
   */
  draw(order: MapOrder, signal: AbortSignal): Promise<RepositoryMap | null>
  /** Keeps what was parsed, and ends the thread. */
  close(): Promise<void>
}

/** A map that is wanted. */
export interface MapOrder extends MapBudget {
  /** A real path. */
  readonly rootPath: string
  /** Real paths of which nothing is listed or read. [SEC14] */
  readonly closedPaths: readonly string[]
  /** What becomes of files with more than one name: their content is left alone, or used. */
  readonly hardLinks: 'refuse' | 'use'
  /** Whether the map may show a file. [PERM7] */
  readonly mayShow: (path: string) => Promise<boolean>
  /** What the map is to be about, in anybody's words; what it names rises. May be empty. */
  readonly focus: string
}

/** A map, and the files that matter most. */
export interface RepositoryMap extends DrawnMap {
  /** In the order of their rank, whether the map has room for them or not. */
  readonly topPaths: readonly string[]
  /** Contents that had to be parsed for it; the others were known. */
  readonly parsedCount: number
}

/** What maps are drawn with. */
export interface RepositoryMapsOptions {
  /** A folder that nothing else writes in: what was parsed lies there. */
  readonly cacheFolder: string
  /** Name or path of `git`; null: `.gitignore` is read without it, as where there is none. */
  readonly git: string | null
  readonly clock: Clock
}

/** What maps may take. */
export const MAP_LIMITS = {
  /** Bytes of all caches on the disk. */
  cacheBytes: 128 << 20,
  /** Milliseconds of reading for one map; then it is partial and says so. */
  readMs: 10_000,
  /** Milliseconds after which an answer is not waited for any more. */
  answerMs: 30_000,
} as const

/** Lines are asked for as if a token had so many characters: code has fewer. */
const MOST_CHARS_PER_TOKEN = 8
/** Megabytes of the thread. A repository that needs more ends it, and has no map. */
const MEMORY_MB = 1_024
const EXTENSION = import.meta.url.endsWith('.ts') ? '.ts' : '.js'

interface Thread {
  readonly worker: Worker
  readonly waiting: Map<number, (answer: MapAnswer | null) => void>
}

/** Makes what draws maps. Its thread starts with the first map, and keeps no process alive. */
export function createRepositoryMaps({ cacheFolder, git, clock }: RepositoryMapsOptions): RepositoryMaps {
  let thread: Thread | null = null
  let requestCount = 0

  function start(): Thread {
    const options: MapThreadOptions = { cacheFolder, cacheBytes: MAP_LIMITS.cacheBytes }
    const worker = new Worker(new URL(`./thread/map-thread${EXTENSION}`, import.meta.url), {
      workerData: options,
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    })
    const started: Thread = { worker, waiting: new Map() }
    const lose = () => {
      if (thread === started) thread = null
      for (const answer of started.waiting.values()) answer(null)
      started.waiting.clear()
    }
    worker.on('message', (answer: MapAnswer) => {
      started.waiting.get(answer.requestId)?.(answer)
      started.waiting.delete(answer.requestId)
      if (started.waiting.size === 0) worker.unref()
    })
    worker.on('error', lose)
    worker.on('exit', lose)
    worker.unref()
    return started
  }

  /** Null when the thread is lost, refuses, takes too long, or the signal comes first. */
  async function ask(wish: WithoutId<MapRequest>, signal: AbortSignal | null): Promise<MapAnswer | null> {
    if (signal?.aborted) return null
    thread ??= start()
    const { worker, waiting } = thread
    const requestId = ++requestCount
    const { promise, resolve } = Promise.withResolvers<MapAnswer | null>()
    const giveUp = () => resolve(null)
    waiting.set(requestId, resolve)
    worker.ref()
    worker.postMessage({ ...wish, requestId })
    const cancel = clock.after(MAP_LIMITS.answerMs, giveUp)
    signal?.addEventListener('abort', giveUp, { once: true })
    try {
      return await promise
    } finally {
      cancel()
      signal?.removeEventListener('abort', giveUp)
    }
  }

  return {
    async draw(order, signal) {
      const { rootPath, closedPaths, hardLinks, focus, budgetTokens, page } = order
      const wantedChars = budgetTokens * MOST_CHARS_PER_TOKEN * page
      const wish = { type: 'rank', rootPath, git, closedPaths, hardLinks, focus, wantedChars } as const
      const answer = await ask({ ...wish, limitMs: MAP_LIMITS.readMs }, signal)
      return answer?.type === 'ranked' ? drawn(answer, order) : null
    },
    async close() {
      if (thread === null) return
      await ask({ type: 'end' }, null)
      await thread?.worker.terminate()
    },
  }
}

async function drawn(ranked: RankedMap, order: MapOrder): Promise<RepositoryMap> {
  const shown = new Map<string, boolean>()
  for (const path of [...ranked.topPaths, ...ranked.lines.map((line) => line.path)])
    if (!shown.has(path)) shown.set(path, await order.mayShow(path))
  const isShown = (path: string) => shown.get(path) === true
  const lines = ranked.lines.filter(({ path }) => isShown(path))
  return {
    ...drawMap({ ...ranked, lines }, order),
    topPaths: ranked.topPaths.filter(isShown),
    parsedCount: ranked.parsedCount,
  }
}

type WithoutId<Request> = Request extends unknown ? Omit<Request, 'requestId'> : never
