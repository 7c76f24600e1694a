import { createParser } from 'eventsource-parser'
import * as z from 'zod'
import type { Program } from './program.ts'

/** A reader of a conversation over server-sent events, which puts together what streams. */
export interface EventFollower {
  /** `seq` of every entry, in the order of coming. */
  readonly seqs: () => readonly number[]
  /** The text of the step that streams, or streamed last. */
  readonly text: () => string
  /** The texts of all steps that streamed, whole as they came. */
  readonly steps: () => readonly string[]
  /** The names of all events. */
  readonly events: () => readonly string[]
  close(): Promise<void>
}

const Entry = z.looseObject({ seq: z.number() })
const Delta = z.looseObject({ stepId: z.string(), block: z.number(), offset: z.number(), text: z.string() })
const Draft = z.looseObject({ stepId: z.string(), blocks: z.array(z.looseObject({ text: z.string() })) })

/** Follows from the beginning. What is asked of it throws where a delta has left a hole, or the server has ended the line. */
export async function followByEvents({ url, token }: Program, id: string): Promise<EventFollower> {
  const end = new AbortController()
  const answer = await fetch(`${url}/api/v1/conversations/${id}/entries?after=0&live=sse`, {
    headers: { authorization: `Bearer ${token}` },
    signal: end.signal,
  })
  const seqs: number[] = []
  const events: string[] = []
  const steps = new Map<string, string[]>()
  let last: string[] = []
  let failure: unknown = null

  function stepOf(stepId: string): string[] {
    last = steps.get(stepId) ?? []
    steps.set(stepId, last)
    return last
  }

  function takeDelta({ stepId, block, offset, text }: z.infer<typeof Delta>): void {
    const own = stepOf(stepId)
    const known = own[block] ?? ''
    if (offset > known.length) throw new Error(`Step ${stepId} has a hole from ${known.length} to ${offset}`)
    own[block] = known.slice(0, offset) + text + known.slice(offset + text.length)
  }

  function take(name: string, data: string): void {
    events.push(name)
    const frame: unknown = JSON.parse(data)
    if (name === 'entry') seqs.push(Entry.parse(frame).seq)
    if (name === 'delta') takeDelta(Delta.parse(frame))
    if (name !== 'draft') return
    const { stepId, blocks } = Draft.parse(frame)
    const own = stepOf(stepId)
    own.splice(0, own.length, ...blocks.map(({ text }) => text))
  }

  const parser = createParser({ onEvent: ({ event, data }) => take(event ?? '', data) })
  const reading = answer.body?.pipeThrough(new TextDecoderStream()).pipeTo(
    new WritableStream({
      write: (text) => parser.feed(text),
    }),
  )
  const done = reading?.catch((error: unknown) => {
    if (!end.signal.aborted) failure = error
  })
  const whole = <Value>(value: () => Value) => {
    if (failure) throw failure
    return value()
  }
  return {
    seqs: () => whole(() => seqs.slice()),
    text: () => whole(() => last.join('')),
    steps: () => whole(() => [...steps.values()].map((blocks) => blocks.join(''))),
    events: () => events,
    async close() {
      end.abort()
      await done
    },
  }
}
