import { Json } from '@holdfast/conversation'
import { ALWAYS_RULE, createMemories } from '@holdfast/engine'
import { attachmentsOf } from './attachments.ts'
import { addUser, type Credentials, makeKey, send, setUp } from './people.ts'
import { realClock, realIds } from './real-ports.ts'
import type { Served } from './serve.ts'

/** Words that only their owner may ever be sent. */
export const CANARY = 'canary-of-the-owner'

/** Things of one user, and everyone who must not get at them. */
export interface Worlds {
  readonly ownerId: string
  readonly conversationId: string
  /** What the parameter of an address names, by the name of the parameter. */
  readonly records: Readonly<Record<string, string>>
  /** Each with what it opens: nothing, other people’s things, or the owner’s things in part. */
  readonly people: Readonly<Record<PersonName, Credentials>>
}

/** Who knocks. */
export type PersonName =
  | 'nobody'
  | 'wrong key'
  | 'deleted key'
  | 'expired session'
  | 'disabled user'
  | 'other user'
  | 'other admin'
  | 'read key of the owner'
  | 'tools key of the owner'
  | 'admin key of a former admin'

/** Makes a user with a conversation, a file, a rule, a session and a key, and everyone else. */
export async function makeWorlds(served: Served): Promise<Worlds> {
  const admin = await setUp(served)
  const owner = await addUser(served, admin, { email: 'owner@example.org', role: 'user' })
  const { userId: ownerId } = (await send(served, ['GET', '/auth/me'], { as: owner })).body as { userId: string }
  const created = await served.engine.createConversation({
    commandId: 'create_owned',
    actor: { type: 'person', userId: ownerId },
    ownerId,
    title: CANARY,
    modelId: null,
  })
  const { conversationId } = created
  const composer = { content: [{ type: 'text', text: CANARY }], version: 0 }
  await send(served, ['PUT', `/conversations/${conversationId}/composer`], { as: owner, body: composer })

  const expired = await addUser(served, admin, { email: 'late@example.org', role: 'user' })
  await expireSessionsOf(served, expired)
  const disabled = await addUser(served, admin, { email: 'gone@example.org', role: 'user' })
  await changeUser(served, admin, { as: disabled, body: { disabled: true } })
  const former = await addUser(served, admin, { email: 'former@example.org', role: 'admin' })
  const formerKey = await makeKey(served, former, ['admin'])
  await changeUser(served, admin, { as: former, body: { role: 'user' } })
  const deleted = await makeKey(served, owner, ['read', 'chat', 'tools'])
  await send(served, ['DELETE', `/auth/keys/${deleted.keyId}`], { as: owner })
  const read = await makeKey(served, owner, ['read'])
  const tools = await makeKey(served, owner, ['tools'])
  return {
    ownerId,
    conversationId,
    records: { ...(await recordsOf(served, owner, ownerId)), keyId: read.keyId },
    people: {
      nobody: {},
      'wrong key': { authorization: `Bearer hf_${'x'.repeat(43)}` },
      'deleted key': deleted.bearer,
      'expired session': expired,
      'disabled user': disabled,
      'other user': await addUser(served, admin, { email: 'other@example.org', role: 'user' }),
      'other admin': await addUser(served, admin, { email: 'chief@example.org', role: 'admin' }),
      'read key of the owner': read.bearer,
      'tools key of the owner': tools.bearer,
      'admin key of a former admin': formerKey.bearer,
    },
  }
}

async function recordsOf(served: Served, owner: Credentials, ownerId: string): Promise<Record<string, string>> {
  const value = { effect: 'allow' as const, tool: CANARY }
  await served.records.put(ALWAYS_RULE, { ownerId, id: 'rule_owned', revision: 0, value, at: 0 })
  async function* content() {
    yield new TextEncoder().encode(CANARY)
  }
  const { store, records } = served
  const attachments = attachmentsOf({ store, records })
  const file = { name: `${CANARY}.txt`, mediaType: 'text/plain', content: content(), isTruncated: () => false }
  const { id: attachmentId } = await attachments.keep(ownerId, file)
  const { sessions } = (await send(served, ['GET', '/auth/sessions'], { as: owner })).body as {
    sessions: { id: string }[]
  }
  const agent = await send(served, ['POST', '/agents'], { as: owner, body: { name: CANARY, description: CANARY } })
  const { id: agentId } = agent.body as { id: string }
  const memory = { text: CANARY, agentId: null, isPinned: true, from: null, replaces: null }
  const remembered = await createMemories({ records, clock: realClock, ids: realIds, isShared: true }).save(
    ownerId,
    memory,
  )
  const memoryId = remembered.type === 'saved' ? remembered.memory.memoryId : 'none'
  return { agentId, memoryId, ruleId: 'rule_owned', attachmentId, sessionId: sessions[0]?.id ?? '' }
}

async function changeUser(
  served: Served,
  admin: Credentials,
  { as, body }: { readonly as: Credentials; readonly body: object },
): Promise<void> {
  const { userId } = (await send(served, ['GET', '/auth/me'], { as })).body as { userId: string }
  await send(served, ['PATCH', `/users/${userId}`], { as: admin, body })
}

/** Moves the end of the sessions of a user into the past, as time would. */
async function expireSessionsOf(served: Served, as: Credentials): Promise<void> {
  const { sessions } = (await send(served, ['GET', '/auth/sessions'], { as })).body as { sessions: { id: string }[] }
  const kind = { kind: 'account-session', schema: Json }
  for (const { id } of sessions) {
    const found = await served.records.get(kind, { ownerId: 'installation', id })
    if (!found || typeof found.value !== 'object') throw new Error(`There is no session ${id}`)
    const value = { ...found.value, expiresAt: new Date(0).toISOString() }
    await served.records.put(kind, { ownerId: 'installation', id, revision: found.revision, value, at: 0 })
  }
}
