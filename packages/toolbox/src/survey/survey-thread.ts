import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { closedPlaces } from '../workspace/closed-places.ts'
import { compareSurveys } from './compare-surveys.ts'
import { openContentPack, type Place, placesIn, readPlace } from './content-pack.ts'
import { keptPath, packsOf, readKeptSurvey, removeLeft, removeOfGone, writeKeptSurvey } from './kept-survey.ts'
import type { Seen, Survey } from './survey.ts'
import { surveyFolder } from './survey-folder.ts'
import type { SurveyAnswer, SurveyRequest, SurveyThreadOptions, ToldChange } from './survey-messages.ts'

const port = parentPort
if (!port) throw new Error('This file is the program of a thread; it is not run by itself')
const { folder, packPath, packBytes, nowMs, limits }: SurveyThreadOptions = workerData
removeLeft(folder, nowMs)

/** Whatever a process left is recovered within this time of the start of the next, in milliseconds. */
const RECOVERED_MS = 600_000
let sweep = sweepLater()

function sweepLater(): NodeJS.Timeout {
  return setTimeout(() => removeOfGone(folder, packPath), RECOVERED_MS)
}

/** Folders whose last survey is kept, so that the next one reads what has changed only. */
const MOST_FOLDERS = 8

const surveys = new Map<number, Survey>()
const latest = new Map<string, Survey>()
/** Contents that earlier processes have kept. */
const left = new Map<string, { readonly path: string; readonly place: Place }>()
let count = 0
let current: Survey = new Map()
const pack = openContentPack({
  path: (number) => `${packPath}-${number}`,
  limitBytes: packBytes,
  neededHashes: () => new Set([...surveys.values(), ...latest.values(), current].flatMap(hashesOf)),
})

port.on('message', (request: SurveyRequest) => {
  port.postMessage(answerTo(request))
})

function answerTo(request: SurveyRequest): SurveyAnswer {
  const { requestId } = request
  try {
    switch (request.type) {
      case 'look':
        return { requestId, type: 'looked', surveyId: look(request) }
      case 'compare': {
        const changes = compareSurveys(surveyOf(request.before), surveyOf(request.after))
        const listed = changes.slice(0, request.limitCount)
        return { requestId, type: 'compared', changes: listed, unlistedCount: changes.length - listed.length }
      }
      case 'read':
        return { requestId, type: 'bytes', bytes: readContent(request.hash) }
      case 'amend':
        surveys.set(request.surveyId, amended(surveyOf(request.surveyId), request.changes))
        return { requestId, type: 'done' }
      case 'keep-content':
        pack.keep(createHash('sha256').update(request.bytes).digest('hex'), request.bytes)
        return { requestId, type: 'done' }
      case 'release':
        surveys.delete(request.surveyId)
        return { requestId, type: 'done' }
      case 'keep': {
        const { rootPath, kept } = request
        const { callIds, name } = kept
        const survey = surveyOf(request.surveyId)
        writeKeptSurvey(keptPath(folder, name), { rootPath, callIds, packPath, survey })
        return { requestId, type: 'done' }
      }
      case 'forget':
        rmSync(keptPath(folder, request.name), { force: true })
        return { requestId, type: 'done' }
      case 'resume': {
        clearTimeout(sweep)
        sweep = sweepLater()
        const surveyId = resume(request)
        return surveyId === null ? { requestId, type: 'nothing' } : { requestId, type: 'looked', surveyId }
      }
      case 'end':
        clearTimeout(sweep)
        pack.close()
        return { requestId, type: 'done' }
    }
  } catch (error) {
    return { requestId, type: 'failed', message: error instanceof Error ? error.message : String(error) }
  }
}

function look(request: SurveyRequest & { readonly type: 'look' }): number {
  const { rootPath, holding, hardLinks, closedPaths, nowMs, since } = request
  const into = new Map<string, Seen>()
  current = into
  const survey = surveyFolder({
    into,
    rootPath,
    holding,
    hardLinks,
    closed: closedPlaces(closedPaths),
    nowMs,
    limits,
    pack,
    known: latest.get(rootPath) ?? new Map(),
    since: since === null ? null : surveyOf(since),
  })
  latest.delete(rootPath)
  latest.set(rootPath, survey)
  const [oldest] = latest.keys()
  if (latest.size > MOST_FOLDERS && oldest !== undefined) latest.delete(oldest)
  surveys.set(++count, survey)
  return count
}

function resume({ rootPath, kept }: SurveyRequest & { readonly type: 'resume' }): number | null {
  const found = readKeptSurvey(keptPath(folder, kept.name))
  if (found?.rootPath !== rootPath || !found.callIds.some((callId) => kept.callIds.includes(callId))) return null
  if (found.packPath !== packPath)
    for (const path of packsOf(found.packPath))
      for (const [hash, place] of placesIn(path)) left.set(hash, { path, place })
  surveys.set(++count, found.survey)
  return count
}

function readContent(hash: string): Uint8Array {
  const kept = left.get(hash)
  return kept === undefined || pack.has(hash) ? pack.read(hash) : readPlace(kept.path, hash, kept.place)
}

function surveyOf(surveyId: number): Survey {
  const survey = surveys.get(surveyId)
  if (!survey) throw new Error(`There is no survey ${surveyId}`)
  return survey
}

function amended(survey: Survey, changes: readonly ToldChange[]): Survey {
  const next = new Map(survey)
  for (const change of changes) {
    if (change.now === null && change.target === null) next.delete(change.path)
    else next.set(change.path, seenOf(change))
  }
  return next
}

function seenOf({ entity, now, target }: ToldChange): Seen {
  if (entity === 'link') return { type: 'link', target: target ?? '' }
  const mode = now?.mode ?? 0
  if (entity === 'folder') return { type: 'folder', mode }
  return { type: 'file', mode, sizeBytes: now?.sizeBytes ?? 0, hash: now?.hash ?? null, notKept: null, stamp: null }
}

function hashesOf(survey: Survey): readonly string[] {
  return [...survey.values()].flatMap((seen) => (seen.type === 'file' && seen.hash !== null ? [seen.hash] : []))
}
