import { parentPort, workerData } from 'node:worker_threads'
import { readTagCache, writeTagCache } from '../cache/tag-cache.ts'
import { createTagParser, PARSE_LIMITS } from '../parse/tag-parser.ts'
import { rankRepository } from '../rank/rank-repository.ts'
import { type Repository, readRepository } from '../repository/read-repository.ts'
import { sourceLines } from '../text/source-lines.ts'
import type { MapAnswer, MapRequest, MapThreadOptions } from './map-messages.ts'

const port = parentPort
if (!port) throw new Error('This file is the program of a thread; it is not run by itself')
const { cacheFolder, cacheBytes }: MapThreadOptions = workerData
const cache = { folder: cacheFolder, limitBytes: cacheBytes }

/** Repositories that are kept in memory; the one that was longest not asked for goes. */
const MOST_REPOSITORIES = 4
/** Files that the answer names in the order of their rank. */
const MOST_TOP_PATHS = 50
/** After so long without a request the caches are written. */
const QUIET_MS = 2_000

const parser = createTagParser(PARSE_LIMITS)
const repositories = new Map<string, Repository>()
/** Repositories with contents that their caches lack. */
const unwritten = new Set<string>()
let writing: NodeJS.Timeout | null = null
let turn: Promise<unknown> = Promise.resolve()

port.on('message', (request: MapRequest) => {
  turn = turn.then(async () => port.postMessage(await answerTo(request)))
})

async function answerTo(request: MapRequest): Promise<MapAnswer> {
  const { requestId } = request
  try {
    switch (request.type) {
      case 'rank':
        return await rank(request)
      case 'end':
        writeCaches()
        return { requestId, type: 'ended' }
    }
  } catch (error) {
    return { requestId, type: 'failed', message: error instanceof Error ? error.message : String(error) }
  }
}

async function rank(request: MapRequest & { readonly type: 'rank' }): Promise<MapAnswer> {
  const { requestId, rootPath, hardLinks, focus, wantedChars } = request
  const known = repositories.get(rootPath) ?? readTagCache(rootPath, cache)
  const repository = await readRepository(request, { known, parser: await parser })
  keep(rootPath, repository)
  const ranking = rankRepository(repository, focus)
  const lines = sourceLines(repository, ranking, { rootPath, hardLinks, wantedChars })
  const { files, unreadCount, isCut, parsedCount } = repository
  const topPaths = ranking.files.slice(0, MOST_TOP_PATHS).map((file) => files[file]?.path ?? '')
  return { requestId, type: 'ranked', lines, topPaths, fileCount: files.length, unreadCount, isCut, parsedCount }
}

function keep(rootPath: string, repository: Repository): void {
  repositories.delete(rootPath)
  repositories.set(rootPath, repository)
  if (repository.parsedCount > 0) unwritten.add(rootPath)
  const [oldest] = repositories.keys()
  if (repositories.size > MOST_REPOSITORIES && oldest !== undefined) {
    write(oldest)
    repositories.delete(oldest)
  }
  if (writing !== null) clearTimeout(writing)
  writing = setTimeout(writeCaches, QUIET_MS)
  writing.unref()
}

function writeCaches(): void {
  for (const rootPath of unwritten) write(rootPath)
}

function write(rootPath: string): void {
  const repository = repositories.get(rootPath)
  if (unwritten.delete(rootPath) && repository !== undefined) writeTagCache(rootPath, repository, cache)
}
