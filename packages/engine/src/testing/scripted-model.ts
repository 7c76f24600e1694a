import type { BlobSource, ModelPart, ModelPort, ModelRequest } from '@holdfast/provider'

/** What a scripted model does next: sends a part, or waits for the test, or ends without an end. */
export type ScriptLine =
  | ModelPart
  | { readonly type: 'wait' }
  | { readonly type: 'break-off' }
  | { readonly type: 'throw'; readonly error: Error }

/** A model that does what a test says, and remembers what it was asked. */
export interface ScriptedModel extends ModelPort {
  readonly requests: readonly ModelRequest[]
  /** What came with each request to read its bodies by. */
  readonly sources: readonly BlobSource[]
  /** Requests whose signal was aborted. */
  abortedCount(): number
  /** Lets every `wait` that is reached by now go on. */
  proceed(): void
}

/** Answers request n with script n, and the last script again after that. */
export function createScriptedModel(scripts: readonly (readonly ScriptLine[])[]): ScriptedModel {
  const requests: ModelRequest[] = []
  const sources: BlobSource[] = []
  let waiting: (() => void)[] = []
  let aborted = 0
  return {
    providerId: 'scripted',
    requests,
    sources,
    abortedCount: () => aborted,
    proceed() {
      const released = waiting
      waiting = []
      for (const release of released) release()
    },
    async stream(request, { signal, blobs, onPart }) {
      const script = scripts[Math.min(requests.length, scripts.length - 1)] ?? []
      requests.push(request)
      sources.push(blobs)
      signal.addEventListener('abort', () => {
        aborted += 1
      })
      for (const line of script) {
        if (line.type === 'break-off') return
        if (line.type === 'throw') throw line.error
        if (line.type === 'wait') await new Promise<void>((resolve) => waiting.push(resolve))
        else await onPart(line)
        if (signal.aborted) return
      }
    },
  }
}

/** A whole reply of one text, in pieces. */
export function says(...pieces: readonly string[]): readonly ScriptLine[] {
  return [...begins(...pieces), { type: 'block-ended', block: 0 }, { type: 'finish', finish: 'end' }]
}

/** The beginning of a reply: nothing ends it. */
export function begins(...pieces: readonly string[]): readonly ScriptLine[] {
  return [
    { type: 'block-started', block: 0, start: { type: 'text' } },
    ...pieces.map((text): ScriptLine => ({ type: 'block-delta', block: 0, text })),
  ]
}
