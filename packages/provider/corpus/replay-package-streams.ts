import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createGoogleModel } from '@holdfast/provider/google'
import { createResponsesModel } from '@holdfast/provider/openai-responses'
import { collectParts, PLAIN_REQUEST, readAll, startLoopbackServer } from '@holdfast/provider/testing'
import { noBlobs } from '../src/blob-source.ts'
import { type ModelPort, ProviderError } from '../src/model-port.ts'

/** What came of replaying the streams that packages read for us. */
export interface PackageReplayReport {
  readonly streams: number
  /** Streams that ended early. */
  readonly truncations: number
  /** Errors that are not in our classes. */
  readonly thrown: number
  /** Streams that ended early and were taken as ended by the provider. */
  readonly falseEnds: number
  readonly problems: readonly string[]
}

type PackageFormat = 'openai-responses' | 'gemini'

/** A stream is ended at so many places, evenly spread. */
const TRUNCATIONS = 10

/** Serves every recorded stream of a folder whose form a package reads over HTTP, whole and ended early. [RUN5] */
export async function replayPackageStreams(folder: string): Promise<PackageReplayReport> {
  const server = await startLoopbackServer()
  let count = 0
  const common = {
    providerId: 'replayed',
    apiKey: 'key-of-the-corpus',
    headers: {},
    ids: { next: (prefix: string) => `${prefix}_${++count}` },
  }
  const ports: Readonly<Record<PackageFormat, ModelPort>> = {
    'openai-responses': createResponsesModel({ ...common, baseUrl: `${server.baseUrl}/v1` }),
    gemini: createGoogleModel({ ...common, baseUrl: `${server.baseUrl}/v1beta` }),
  }
  const problems: string[] = []
  let [streams, truncations, thrown, falseEnds] = [0, 0, 0, 0]
  const play = async (format: PackageFormat, path: string, lines: readonly string[]): Promise<string | null> => {
    server.answer(async (exchange) => {
      exchange.head(200, { 'content-type': 'text/event-stream' })
      await exchange.write(lines.map((line) => `data: ${line}\n\n`).join(''))
      exchange.end()
    })
    const request = { ...PLAIN_REQUEST, modelId: 'replayed' }
    const { parts, error } = await readAll((onPart) =>
      ports[format].stream(request, { signal: new AbortController().signal, blobs: noBlobs, onPart }),
    )
    if (error !== null && !(error instanceof ProviderError)) {
      thrown++
      problems.push(`thrown: ${path} of ${lines.length} events: ${String(error)}`)
    }
    return error === null ? collectParts(parts).finish : null
  }
  try {
    for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
      if (!path.endsWith('.chunks.txt')) continue
      const text = readFileSync(join(folder, path), 'utf8')
      const format = formatOf(text)
      if (!format) continue
      streams++
      const lines = text.split('\n').filter((line) => line.trim() !== '')
      await play(format, path, lines)
      const endsAt = lines.findIndex((line) => ENDS[format].test(line))
      for (let cut = 1; cut <= TRUNCATIONS; cut++) {
        const length = Math.floor((cut * lines.length) / (TRUNCATIONS + 1))
        if (length === 0) continue
        truncations++
        const finish = await play(format, path, lines.slice(0, length))
        if (finish === null || endsAt < 0 || length > endsAt) continue
        falseEnds++
        problems.push(`falseEnds: ${path} ended after ${length} of ${lines.length} events`)
      }
    }
  } finally {
    await server.close()
  }
  return { streams, truncations, thrown, falseEnds, problems }
}

/** The event with which a provider says that it ended the answer. */
const ENDS: Readonly<Record<PackageFormat, RegExp>> = {
  'openai-responses': /"type": ?"response\.(?:completed|incomplete|failed)"/,
  gemini: /"finishReason": ?"/,
}

function formatOf(text: string): PackageFormat | null {
  if (/"type": ?"response\.created"/.test(text)) return 'openai-responses'
  return /"candidates": ?\[/.test(text) ? 'gemini' : null
}
