import { createPushService, type PushService } from '@holdfast/conformance'
import type { Records } from '@holdfast/conversation'
import { type ScriptLine, says } from '@holdfast/engine/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { createDesks } from '../src/parts/desks.ts'
import { encryptMessage } from '../src/push/encrypt-message.ts'
import { openPushes } from '../src/push/open-pushes.ts'
import { isPushService, USUAL_PUSH_SERVICES } from '../src/push/push-services.ts'
import type { Pushes, PushMessage } from '../src/push/pushes.ts'
import { senderKey } from '../src/push/sender-key.ts'
import { sha256 } from './support/real-ports.ts'
import { USER, wantedBy } from './support/schedule-bench.ts'
import { MINUTE, scheduleWorld, settle } from './support/schedule-world.ts'

const SECRET = new Uint8Array(32).fill(5)
const GATHER_MS = 10_000

let service: PushService

beforeEach(async () => {
  service = await createPushService()
})
afterEach(async () => {
  await service.close()
})

const call: readonly ScriptLine[] = [
  { type: 'block-started', block: 0, start: { type: 'tool-call', callId: 'call_1', name: 'ring' } },
  { type: 'block-delta', block: 0, text: '{"bell":"big"}' },
  { type: 'block-ended', block: 0 },
  { type: 'finish', finish: 'tool-calls' },
]

/** A world in which processes tell browsers, and what they are asked to send is sent for real. */
function pushWorld(script: readonly (readonly ScriptLine[])[]) {
  const world = scheduleWorld(script)
  const sent: Promise<number>[] = []
  const post = ({ url, headers, body }: PushMessage) => {
    const sending = fetch(url, { method: 'POST', headers, body: new Uint8Array(body) }).then(({ status }) => status)
    sent.push(sending)
    return sending
  }
  function telling(records: Records = world.memory.records) {
    const part = world.process()
    const { store } = world.memory
    const fault = (words: string, about: object) => void world.faults.push({ words, ...about })
    const pushes = openPushes(
      {
        bus: part.bus,
        clock: { ...world.clock, now: () => Date.now() },
        log: { warn: fault, error: fault },
        records,
        store,
        schedules: part.schedules,
        push: { secret: SECRET, services: [service.url], subject: 'https://holdfast.example', post, sha256 },
      },
      createDesks(records, world.clock),
    )
    if (pushes === null) throw new Error('Nobody is told')
    return { ...part, pushes }
  }
  /** Lets so long pass, and what is sent arrive. */
  async function pass(ms: number): Promise<void> {
    await world.clock.advance(ms)
    await settle(world.clock)
    for (let known = -1; known !== sent.length; ) {
      known = sent.length
      await Promise.all(sent)
      await settle(world.clock)
    }
  }
  return { ...world, telling, pass }
}

async function subscribed(pushes: Pushes, userId = USER) {
  const given = service.subscribe(pushes.key.publicKey)
  await pushes.devices.add({ ...given, userId, told: (await pushes.inboxOf(userId)).map(({ id }) => id) })
  return given
}

const Told = z.object({
  count: z.number(),
  items: z.array(z.object({ kind: z.string(), title: z.string(), conversationId: z.string().nullable() })),
})
const told = () => service.messages.map(({ text }) => Told.parse(JSON.parse(text)))

describe('telling browsers', () => {
  it('[SCHED26] encrypts as RFC 8291 does in its example', () => {
    const keys = {
      p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
      auth: 'BTBZMqHH6r4Tts7J_aSIgg',
    }
    const secrets = {
      salt: Buffer.from('DGv6ra1nlYgDCS1FRnbzlw', 'base64url'),
      privateKey: Buffer.from('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw', 'base64url'),
    }
    expect(encryptMessage('When I grow up, I want to be a watermelon', keys, secrets).toString('base64url')).toBe(
      'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
    )
  })

  it('[SCHED26] has one key for one installation, and another for another', () => {
    expect(senderKey(SECRET).publicKey).toBe(senderKey(SECRET).publicKey)
    expect(senderKey(SECRET).publicKey).not.toBe(senderKey(new Uint8Array(32).fill(6)).publicKey)
    expect(Buffer.from(senderKey(SECRET).publicKey, 'base64url')).toHaveLength(65)
  })

  it('[SCHED26] reaches services of browsers and no other address', () => {
    const allowed = (address: string) => isPushService(USUAL_PUSH_SERVICES, address)
    expect(allowed('https://fcm.googleapis.com/fcm/send/abc')).toBe(true)
    expect(allowed('https://updates.push.services.mozilla.com/wpush/v2/x')).toBe(true)
    for (const address of [
      'http://fcm.googleapis.com/fcm/send/abc',
      'https://fcm.googleapis.com.evil.example/x',
      'https://evilpush.apple.com.evil.example/x',
      'https://fcm.googleapis.com:8443/x',
      'https://web.push.apple.com:22/x',
      'https://user@fcm.googleapis.com/x',
      'http://127.0.0.1:8080/x',
      'http://169.254.169.254/latest/meta-data',
      'file:///etc/passwd',
      'nothing',
    ])
      expect(allowed(address), address).toBe(false)
  })

  it('[SCHED26] tells what a schedule brought once, at whichever process, and what came together in one message', async () => {
    const { telling, pass, faults, memory } = pushWorld([says('Done.'), says('Done.')])
    const seen = Promise.withResolvers<void>()
    const records: Records = {
      ...memory.records,
      // The other process reads who is to be told before this one has written that it tells.
      async list(kind, query) {
        const found = await memory.records.list(kind, query)
        if (kind.kind === 'push-device') await seen.promise
        return found
      },
    }
    const [one, two] = [telling(), telling(records)]
    const given = await subscribed(one.pushes)
    for (const { schedules } of [one, two]) await schedules.scheduler.start()
    await one.schedules.create(USER, { ...wantedBy({ type: 'cron', expression: '0 * * * *' }), name: 'Bells' })
    await one.schedules.create(USER, { ...wantedBy({ type: 'cron', expression: '0 * * * *' }), name: 'Whistles' })
    await two.schedules.scheduler.refresh()
    await pass(60 * MINUTE)
    expect(service.messages).toEqual([])
    for (const { pushes } of [one, two]) pushes.changed(USER)
    await pass(GATHER_MS)
    seen.resolve()
    await pass(GATHER_MS)
    expect(faults).toEqual([])
    expect(service.refusals).toEqual([])
    expect(told()).toMatchObject([{ count: 2, items: [{ kind: 'schedule-finished' }, { kind: 'schedule-finished' }] }])
    expect(service.messages[0]).toMatchObject({ endpoint: given.endpoint, urgency: 'normal' })
    for (const { schedules, pushes } of [one, two]) {
      pushes.close()
      await schedules.scheduler.close()
    }
  })

  it('[SCHED26] tells of a question, not of one that is answered before ten seconds are over, and nobody else', async () => {
    const { telling, pass, clock } = pushWorld([call, says('Well.'), call])
    const { engine, pushes } = telling()
    await subscribed(pushes)
    await subscribed(pushes, 'user_2')
    const actor = { type: 'person', userId: USER } as const
    const ask = async (title: string) => {
      const begun = { commandId: `begin ${title}`, actor, ownerId: USER, title, modelId: null }
      const { conversationId } = await engine.createConversation(begun)
      const content = [{ type: 'text' as const, text: 'Ring' }]
      await engine.sendMessage({ commandId: title, actor, conversationId, content, lane: 'turn' })
      await settle(clock)
      return conversationId
    }
    const conversationId = await ask('Answered')
    const requestId = (await pushes.inboxOf(USER))[0]?.request?.requestId ?? ''
    await engine.answerPermission({
      commandId: 'a',
      actor,
      conversationId,
      requestId,
      decision: 'allow',
      scope: 'call',
    })
    await settle(clock)
    await ask('Left')
    await pass(GATHER_MS)
    const kinds = told().flatMap(({ items }) => items.map(({ kind, title }) => `${kind} ${title}`))
    expect(kinds.sort()).toEqual(['finished Answered', 'permission Left'])
    expect(service.messages).toHaveLength(1)
    expect(service.messages[0]?.urgency).toBe('high')
    pushes.close()
  })

  it('[SCHED26] asks a service again that could not take it, and forgets a browser that is gone', async () => {
    const { telling, pass, faults } = pushWorld([says('Done.'), says('Done.')])
    const { schedules, pushes } = telling()
    const [busy, gone] = [await subscribed(pushes), await subscribed(pushes)]
    service.answerWith(busy.endpoint, 503)
    service.answerWith(gone.endpoint, 410)
    await schedules.scheduler.start()
    await schedules.create(USER, wantedBy({ type: 'once', at: '1970-01-01T01:00' }))
    await pass(60 * MINUTE + GATHER_MS)
    await pass(GATHER_MS)
    expect((await pushes.devices.of(USER)).map(({ value }) => value.endpoint)).toEqual([busy.endpoint])
    service.answerWith(busy.endpoint, null)
    await pass(MINUTE)
    expect(told()).toMatchObject([{ count: 1 }])
    await pass(10 * MINUTE)
    expect(service.messages).toHaveLength(1)
    expect(faults).toEqual([])
    pushes.close()
    await schedules.scheduler.close()
  })

  it('[SCHED26] refuses addresses that are no service, keys that are none, and more than 20 browsers', async () => {
    const { telling } = pushWorld([])
    const { pushes } = telling()
    const given = service.subscribe(pushes.key.publicKey)
    const add = (device: Partial<typeof given>) => pushes.devices.add({ ...given, ...device, userId: USER, told: [] })
    await expect(add({ endpoint: 'http://127.0.0.1:1/send/x' })).rejects.toThrow('no push service')
    await expect(add({ keys: { ...given.keys, p256dh: given.keys.p256dh.replace(/.{4}$/, 'AAAA') } })).rejects.toThrow(
      'no keys',
    )
    await expect(add({ keys: { ...given.keys, auth: 'AAAA' } })).rejects.toThrow('no keys')
    for (let number = 0; number < 20; number++) await add({ endpoint: `${service.url}/send/${number}` })
    await expect(add({})).rejects.toThrow('20 browsers')
    await add({ endpoint: `${service.url}/send/7` })
    expect(await pushes.devices.remove(USER, `${service.url}/send/7`)).toBe(true)
    expect(await pushes.devices.remove(USER, `${service.url}/send/7`)).toBe(false)
    await add({})
    pushes.close()
  })
})
