/**
 * A host that is killed: brings a turn into a state, says so, and waits for its end. In a state that passes it kills
 * itself at the very moment.
 *
 * Argument: a `KilledHostTask` as JSON.
 */
import { writeSync } from 'node:fs'
import * as z from 'zod'
import { openHost } from './host.ts'
import { stateNamed } from './states.ts'
import { type ReachedAt, watchFor } from './watch-for.ts'

const Task = z.object({
  place: z.object({
    folder: z.string(),
    format: z.string(),
    urls: z.object({ anthropic: z.string(), openai: z.string(), gemini: z.string(), bedrock: z.string() }),
  }),
  state: z.string(),
})

const { place, state: name } = Task.parse(JSON.parse(process.argv[2] ?? ''))
const state = stateNamed(name)
const host = await openHost(place)
const reached = Promise.withResolvers<ReachedAt>()
watchFor(host, state.reached, (at) => {
  if (state.passing) process.kill(process.pid, 'SIGKILL')
  reached.resolve(at)
})
await host.begin()
await host.send('Put the workshop in order.', 'send-1')
const { conversationId, block } = await reached.promise
// The newest deltas may be lost; of those that tell the state some must not be.
if (block !== null) await host.untilStored(conversationId, block)
if (state.queuesAnother) await host.send('And sweep the floor.', 'send-queued')
writeSync(1, 'reached\n')
