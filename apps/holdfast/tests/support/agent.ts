import type { StrictProvider } from '@holdfast/conformance'
import { vi } from 'vitest'
import * as z from 'zod'
import type { Program } from './program.ts'

const Entry = z.looseObject({ type: z.string(), seq: z.number() })
const Page = z.object({ entries: z.array(Entry) })
const Created = z.object({ id: z.string() })
const Permissions = z.object({
  requests: z.array(z.object({ id: z.string(), tool: z.string(), state: z.string() })),
})
const Conversations = z.object({ conversations: z.array(z.object({ id: z.string() })) })

/** An entry as the API shows it. */
export type SeenEntry = z.infer<typeof Entry>

let count = 0

/** A conversation of the running program, and what a person does in it. */
export interface Person {
  readonly id: string
  say(text: string): Promise<void>
  log(): Promise<readonly SeenEntry[]>
  /** Waits until the log has entries of this type, so many. */
  until(type: string, most: number): Promise<readonly SeenEntry[]>
  /** Waits until so many turns have ended. @returns the entry that ended the last of them. */
  ended(count: number): Promise<SeenEntry | undefined>
  /** Waits for a question about a tool and answers it, for this call alone where nothing else is said. */
  answer(tool: string, decision: 'allow' | 'deny', scope?: 'conversation' | 'always'): Promise<void>
  stop(): Promise<unknown>
  change(settings: Readonly<Record<string, unknown>>): Promise<unknown>
}

/** Begins a conversation. */
export async function converse(program: Program): Promise<Person> {
  const { id } = Created.parse(await program.call('POST', '/conversations', { commandId: `create_${count++}` }))
  return personIn(program, id)
}

/** The conversations that there are, newest first. */
export async function conversationIds(program: Program): Promise<readonly string[]> {
  return Conversations.parse(await program.call('GET', '/conversations')).conversations.map(({ id }) => id)
}

/** A person in a conversation that exists. */
export function personIn({ call }: Program, id: string): Person {
  const path = `/conversations/${id}`
  const log = async () => Page.parse(await call('GET', `${path}/entries?after=0&limit=500`)).entries
  return {
    id,
    log,
    async say(text) {
      await call('POST', `${path}/inputs`, { commandId: `say_${count++}`, content: [{ type: 'text', text }] })
    },
    until: (type, most) =>
      soon(async () => {
        const found = (await log()).filter((entry) => entry.type === type)
        return found.length >= most ? found : null
      }),
    async ended(count) {
      const ends = await soon(async () => {
        const entries = await log()
        const turns = new Set(
          entries.flatMap((entry) =>
            entry.type === 'run-started' && entry['purpose'] === 'turn' ? [entry['runId']] : [],
          ),
        )
        const found = entries.filter((entry) => entry.type === 'run-finished' && turns.has(entry['runId']))
        return found.length >= count ? found : null
      })
      return ends.at(-1)
    },
    async answer(tool, decision, scope) {
      const open = await soon(async () => {
        const { requests } = Permissions.parse(await call('GET', `${path}/permissions`))
        return requests.find((request) => request.tool === tool) ?? null
      })
      const body = { commandId: `answer_${count++}`, decision, ...(scope === undefined ? {} : { scope }) }
      await call('POST', `${path}/permissions/${open.id}`, body)
    },
    stop: () => call('POST', `${path}/stop`, { commandId: `stop_${count++}` }),
    change: (settings) => call('PATCH', path, { commandId: `change_${count++}`, settings }),
  }
}

/** Looks until something is there. */
function soon<Found>(look: () => Promise<Found | null>): Promise<Found> {
  return vi.waitFor(
    async () => {
      const found = await look()
      if (found === null) throw new Error('It is not there yet')
      return found
    },
    { interval: 50, timeout: 60_000 },
  )
}

/** Lets the provider call a tool once for each of these, and then say that it has done. */
export function script(provider: StrictProvider, ...calls: readonly { name: string; input: unknown }[]): void {
  for (const call of calls) provider.script({ parts: [{ type: 'tool-call', ...call }] })
  provider.script({ parts: [{ type: 'text', text: 'Done.' }] })
}
