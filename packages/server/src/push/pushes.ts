import { randomBytes } from 'node:crypto'
import { type Clock, markHidden, type Records } from '@holdfast/conversation'
import type { LiveBus } from '@holdfast/engine'
import type { InboxItem } from '@holdfast/protocol'
import type { Diagnostics } from '../parts/diagnostics.ts'
import { encryptMessage } from './encrypt-message.ts'
import { createPushDevices, type KnownDevice, type PushDevices } from './push-devices.ts'
import { type SenderKey, senderKey } from './sender-key.ts'

/** How messages leave, and by whom. */
export interface PushPort {
  /** Of the installation: the key of the sender follows from it. */
  readonly secret: Uint8Array
  /** Where messages may go; none: nobody is told. */
  readonly services: readonly string[]
  /** An address of whoever keeps the server, for the services: `https:` or `mailto:`. */
  readonly subject: string
  /** Posts one. Resolves with the status, whatever it is; it does not wait for longer than some seconds, and follows nothing. */
  readonly post: (message: PushMessage) => Promise<number>
}

/** One message on its way. */
export interface PushMessage {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** Tells browsers what needs their people, and what ended, while no page of theirs is open. [SCHED26] */
export interface Pushes {
  readonly devices: PushDevices
  readonly key: SenderKey
  /** Something of this person may be new. */
  changed(userId: string): void
  /** What a person could be told of now. */
  inboxOf(userId: string): Promise<readonly InboxItem[]>
  close(): void
}

/** What it works with. */
export interface PushDeps {
  readonly port: PushPort
  readonly records: Records
  readonly bus: Pick<LiveBus, 'subscribeToAll'>
  readonly ownerOf: (conversationId: string) => Promise<string | null>
  readonly inboxOf: (userId: string) => Promise<readonly InboxItem[]>
  readonly clock: Clock
  readonly sha256: (text: string) => string
  readonly log: Pick<Diagnostics, 'warn' | 'error'>
}

/** What is answered or seen so soon is not told; what comes meanwhile is told together. In milliseconds. */
const GATHER_MS = 10_000
/** A service that could not take a message is asked again after so long. */
const AGAIN_MS = 60_000
/** So long a service keeps a message for a browser that is off. */
const KEPT_SECONDS = 86_400
const SHOWN = 3
const OF_CONVERSATION = 'conversation '
const OF_PERSON = 'person '
/** So many ids are kept for each browser. */
const MOST_TOLD = 500
const TITLE_CHARS = 120

/** Makes them. */
export function createPushes(deps: PushDeps): Pushes {
  const { port, clock, log } = deps
  const devices = createPushDevices({ ...deps, services: port.services })
  const key = senderKey(port.secret)
  /** Conversations and people of whom something may be new, and when it is looked what. */
  const due = new Map<string, number>()
  let cancel: (() => void) | null = null
  let looking: Promise<void> | null = null
  let isClosed = false
  const unsubscribe = deps.bus.subscribeToAll((message) => {
    const isNews =
      message.type === 'grown' ||
      (message.type === 'entries' &&
        message.entries.some(
          ({ type }) => type === 'permission-requested' || type === 'question-asked' || type === 'run-finished',
        ))
    if (isNews) later(`${OF_CONVERSATION}${message.conversationId}`, GATHER_MS)
  })

  function later(name: string, ms: number): void {
    if (isClosed || due.has(name)) return
    due.set(name, clock.monotonicMs() + ms)
    plan()
  }

  function plan(): void {
    if (isClosed || looking !== null || due.size === 0) return
    cancel?.()
    const wait = Math.max(0, Math.min(...due.values()) - clock.monotonicMs())
    cancel = clock.after(wait, () => {
      looking = look()
        .catch((error: unknown) => log.error('browsers could not be told', { error }))
        .finally(() => {
          looking = null
          plan()
        })
    })
  }

  /** One person after the other: what is told can wait for what people ask. */
  async function look(): Promise<void> {
    const now = clock.monotonicMs()
    const names = [...due].filter(([, at]) => at <= now).map(([name]) => name)
    for (const name of names) due.delete(name)
    const all = Map.groupBy(await devices.all(), ({ value }) => value.userId)
    if (all.size === 0) return
    for (const userId of await peopleOf(names)) {
      const own = all.get(userId)
      if (own && !isClosed) await tell(userId, own)
    }
  }

  async function peopleOf(names: readonly string[]): Promise<ReadonlySet<string>> {
    const found = new Set<string>()
    for (const name of names) {
      const isPerson = name.startsWith(OF_PERSON)
      const id = name.slice((isPerson ? OF_PERSON : OF_CONVERSATION).length)
      const userId = isPerson ? id : await deps.ownerOf(id)
      if (userId !== null) found.add(userId)
    }
    return found
  }

  async function tell(userId: string, own: readonly KnownDevice[]): Promise<void> {
    const items = await deps.inboxOf(userId)
    for (const device of own) await tellOne(device, items)
  }

  async function tellOne(device: KnownDevice, items: readonly InboxItem[]): Promise<void> {
    const told = new Set(device.value.told)
    const fresh = items.filter(({ id }) => !told.has(id))
    if (fresh.length === 0) return
    if (!(await devices.tell(device, toldNow(device, items)))) return
    const status = await port.post(messageOf(device, fresh))
    if (status === 404 || status === 410) await devices.remove(device.value.userId, device.value.endpoint)
    else if (status === 429 || status >= 500 || status === 0) await takeBack(device)
    else if (status >= 400) log.warn('a push service refuses a message', { status, service: originOf(device) })
  }

  async function takeBack({ id, value }: KnownDevice): Promise<void> {
    const now = (await devices.of(value.userId)).find((one) => one.id === id)
    if (now) await devices.tell(now, value.told)
    later(`${OF_PERSON}${value.userId}`, AGAIN_MS)
  }

  function messageOf({ value: { endpoint, keys } }: KnownDevice, items: readonly InboxItem[]): PushMessage {
    const now = clock.now()
    const secrets = { salt: randomBytes(16), privateKey: privateKey() }
    return {
      url: endpoint,
      headers: {
        authorization: key.authorization({ endpoint, subject: port.subject, now }),
        'content-encoding': 'aes128gcm',
        'content-type': 'application/octet-stream',
        ttl: String(KEPT_SECONDS),
        urgency: items.some(({ kind }) => kind === 'permission' || kind === 'question') ? 'high' : 'normal',
      },
      body: encryptMessage(JSON.stringify(told(items)), keys, secrets),
    }
  }

  return {
    devices,
    key,
    inboxOf: deps.inboxOf,
    changed: (userId) => later(`${OF_PERSON}${userId}`, GATHER_MS),
    close() {
      isClosed = true
      unsubscribe()
      cancel?.()
    },
  }
}

/** What it counts as told of: what it is told now, and what it was. A conversation that was read may end again. */
function toldNow({ value }: KnownDevice, items: readonly InboxItem[]): readonly string[] {
  const now = items.map(({ id }) => id)
  const before = value.told.filter((id) => !now.includes(id) && !id.startsWith('conversation/'))
  return [...now, ...before].slice(0, MOST_TOLD)
}

/** What a browser is told: how much there is, and the first of it. */
function told(items: readonly InboxItem[]) {
  return {
    count: items.length,
    items: items.slice(0, SHOWN).map(({ kind, title, conversationId }) => ({
      kind,
      title: markHidden(title).slice(0, TITLE_CHARS),
      conversationId,
    })),
  }
}

function originOf({ value }: KnownDevice): string {
  return new URL(value.endpoint).origin
}

/** A private key of P-256: nearly all numbers of 32 bytes are one, and those above the order are not taken. */
function privateKey(): Buffer {
  for (;;) {
    const made = randomBytes(32)
    if (made[0] !== 0xff && made[0] !== 0) return made
  }
}
