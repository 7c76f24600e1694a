import { overview, transcript } from '@holdfast/conversation'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createClient } from '../src/client.ts'
import { createBadLine, type Delivery } from './support/bad-line.ts'
import { createManualClock } from './support/manual-clock.ts'
import { createSmallServer, ID } from './support/small-server.ts'

/** One thing that happens: at the server, at the client, on the line, or to time. */
const ACTS = [
  'work',
  'say',
  'say',
  'say',
  'finish',
  'name',
  'send',
  'send',
  'stop',
  'run',
  'run',
  'run',
  'cut',
  'wait',
  'leave',
] as const
const DELIVERIES: readonly Delivery[] = ['deliver', 'deliver', 'deliver', 'drop', 'twice', 'late', 'cut']

test('[PRJ3, SYNC1, SYNC2] the client’s state equals the server’s fold once a bad line has healed, and nothing is lost or sent twice', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...ACTS), { maxLength: 60 }),
      fc.array(fc.constantFrom(...DELIVERIES), { maxLength: 120 }),
      fc.constantFrom('a new line', 'the same line'),
      (acts, deliveries, healedBy) => {
        const clock = createManualClock()
        const server = createSmallServer()
        const line = createBadLine(deliveries, server.accept)
        let ids = 0
        const client = createClient({
          url: 'http://nowhere.invalid',
          transport: line.transport,
          ports: { clock, random: { next: () => 0.5 }, newId: () => `id_${++ids}` },
        })
        const store = client.conversation(ID)
        let leave = store.subscribe(() => {})
        const sent: string[] = []
        for (const [index, act] of acts.entries()) {
          if (act === 'work') server.work()
          if (act === 'say') server.say(`word ${index} `)
          if (act === 'finish') server.finish()
          if (act === 'name') server.name(`Title ${index}`)
          if (act === 'send') sent.push(store.send([{ type: 'text', text: `message ${index}` }], 'turn'))
          if (act === 'stop') store.stop('stop')
          if (act === 'run') line.run()
          if (act === 'cut') line.cut()
          if (act === 'wait') clock.advance(16_000)
          if (act === 'leave') {
            leave()
            leave = store.subscribe(() => {})
          }
        }

        line.heal()
        if (healedBy === 'a new line') line.cut()
        for (let beat = 0; beat < 6; beat += 1) {
          line.run()
          clock.advance(16_000)
        }
        line.run()
        server.say('and on')
        line.run()

        const state = store.getSnapshot()
        expect(state.overview).toEqual(overview.reduce(overview.initial, server.log))
        expect(state.window.items).toEqual(transcript.reduce(transcript.initial, server.log).items)
        expect(state.draft).toEqual(server.draft())
        expect(state).toMatchObject({ gap: false, caughtUp: true, outbox: [] })
        const admitted = server.log.filter(({ type }) => type === 'input-admitted').map(({ commandId }) => commandId)
        expect(admitted.toSorted()).toEqual(sent.toSorted())
        client.close()
      },
    ),
    { numRuns: 400 },
  )
})
