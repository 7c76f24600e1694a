import { createHash } from 'node:crypto'
import {
  type AgentSettings,
  type Clock,
  DEFAULT_AGENT,
  type Ids,
  type Records,
  type SettingProblem,
  type StoredRecord,
} from '@holdfast/conversation'
import { type AgentSource, type OfferedAgent, type PresetSource, SettingsContradictError } from '@holdfast/engine'
import type { AgentRow, AgentSharing, Role, routes } from '@holdfast/protocol'
import type * as z from 'zod'
import { RefusedError } from '../parts/to-problem.ts'
import { createAcceptances } from './acceptances.ts'
import { createAgentPictures } from './agent-pictures.ts'
import { createStoredAgents, type StoredAgent } from './stored-agents.ts'

/** What an agent is made with. */
export type NewAgent = z.infer<(typeof routes)['createAgent']['body']>

/** What it is changed to; a picture that is absent stays. */
export type AgentChange = z.infer<(typeof routes)['changeAgent']['body']>

/** An agent that the operator's file names; everyone may use it, nobody changes it here. */
export interface FileAgent extends Omit<NewAgent, 'sharing' | 'picture'> {
  readonly id: string
}

/** Who asks. */
export interface Asker {
  readonly userId: string
  readonly role: Role
}

/** The agents of the installation, as people and the engine see them. [SEC1, AGENT4] */
export interface AgentDirectory extends AgentSource {
  rows(asker: Asker): Promise<readonly AgentRow[]>
  read(asker: Asker, agentId: string): Promise<AgentRow>
  create(asker: Asker, fields: NewAgent): Promise<AgentRow>
  change(asker: Asker, agentId: string, change: AgentChange): Promise<AgentRow>
  /** The bytes of its picture, a PNG; null where it has none. */
  readPicture(asker: Asker, agentId: string): Promise<Buffer | null>
  /** Takes an agent that another person shares: from then on tasks may be handed to it by name. [AGENT5] */
  accept(asker: Asker, agentId: string): Promise<AgentRow>
  remove(asker: Asker, agentId: string): Promise<void>
}

/** What it is made of. */
export interface AgentDirectoryDeps {
  readonly records: Records
  readonly clock: Clock
  readonly ids: Ids
  readonly fromFile: readonly FileAgent[]
  /** What agents may carry; absent where there are no presets. */
  readonly presets?: PresetSource
  /** Everyone who has an account; null where there are no accounts. */
  readonly people: () => readonly { readonly id: string; readonly email: string; readonly name: string }[] | null
  /** Why what an agent sets cannot hold together, empty where it can; absent where nothing is set for all. [WIN10] */
  readonly contradiction?: (settings: AgentSettings) => readonly SettingProblem[]
}

/** An agent as it is to be written. */
interface AgentWrite {
  readonly id: string
  readonly version: number
  readonly value: StoredAgent
  /** The picture that it had. */
  readonly replaced: string | null
}

/** Keeps the agents of people beside those of the operator and the one that is always there. */
export function createAgentDirectory(deps: AgentDirectoryDeps): AgentDirectory {
  const { records, clock, ids, fromFile, people } = deps
  const stored = createStoredAgents({ records, clock })
  const pictures = createAgentPictures({ records, clock })
  const acceptances = createAcceptances({ records, clock })
  const fixed = [builtInRow(), ...fromFile.map(fileRow)]

  async function usable(userId: string) {
    const emails = emailsOf(userId)
    return (await stored.all()).filter(({ value }) => mayUse(value, { userId, emails }))
  }

  /** @throws {RefusedError} 404 for what is not there and for what is not theirs: nobody can tell the two apart. */
  async function found({ userId }: Asker, agentId: string): Promise<StoredRecord<StoredAgent>> {
    const record = await stored.get(agentId)
    if (record && mayUse(record.value, { userId, emails: emailsOf(userId) })) return record
    throw unknown(agentId)
  }

  /** @throws {RefusedError} */
  async function changeable(asker: Asker, agentId: string): Promise<StoredRecord<StoredAgent>> {
    if (fixed.some(({ id }) => id === agentId))
      throw new RefusedError(403, 'forbidden', `Agent ${agentId} is not changed here: it comes with the installation`)
    const record = await found(asker, agentId)
    if (mayChange(record.value, asker)) return record
    throw new RefusedError(403, 'forbidden', `Agent ${agentId} is another person's; duplicate it to have your own`)
  }

  /** @throws {RefusedError} */
  function storedSharing(sharing: AgentSharing, { role }: Asker): StoredAgent['sharing'] {
    if (sharing.type === 'private') return sharing
    const known = people()
    if (known === null)
      throw new RefusedError(422, 'no-accounts', 'There is nobody to share with: this Holdfast has no accounts')
    if (sharing.type === 'everyone') {
      if (role === 'admin') return sharing
      throw new RefusedError(403, 'forbidden', 'Only an admin may share an agent with everyone; name people instead')
    }
    return { type: 'people', userIds: [], emails: [...new Set(sharing.emails.map((email) => email.toLowerCase()))] }
  }

  function emailsOf(userId: string): readonly string[] {
    return (people() ?? []).filter(({ id }) => id === userId).map(({ email }) => email.toLowerCase())
  }

  /** What people call the owner of an agent that is shared. */
  function nameOf(userId: string): string | null {
    return people()?.find(({ id }) => id === userId)?.name ?? null
  }

  /** @throws {SettingsContradictError} */
  function checkTogether(settings: AgentSettings): void {
    const problems = deps.contradiction?.(settings) ?? []
    if (problems.length > 0) throw new SettingsContradictError(problems)
  }

  /** Writes an agent, and leaves of its old and new picture the one that it has then. @throws {RefusedError} */
  async function putWith(write: AgentWrite): Promise<StoredRecord<StoredAgent>> {
    const { id, version, value, replaced } = write
    let unused = value.picture
    try {
      const record = await stored.put({ id, version, value })
      unused = replaced
      return record
    } finally {
      // Another tab may have given it the same picture meanwhile.
      const isUsed = unused === null || (await stored.get(id))?.value.picture === unused
      if (unused !== null && !isUsed) await pictures.forget(id, unused)
    }
  }

  function rowOf(
    { id, revision, updatedAt, value }: StoredRecord<StoredAgent>,
    asker: Asker,
    accepted: ReadonlySet<string>,
  ): AgentRow {
    const { ownerId, sharing, ...shown } = value
    const isOwn = ownerId === asker.userId
    const canChange = mayChange(value, asker)
    return {
      ...shown,
      id,
      version: revision,
      updatedAt,
      canChange,
      origin: isOwn ? 'own' : 'shared',
      sharedBy: isOwn ? null : nameOf(ownerId),
      accepted: isOwn || sharing.type === 'everyone' || accepted.has(id),
      sharing: canChange ? shownSharing(sharing) : null,
    }
  }

  async function shown(record: StoredRecord<StoredAgent>, asker: Asker): Promise<AgentRow> {
    return rowOf(record, asker, await acceptances.of(asker.userId))
  }

  function offeredOf({ id, revision, value }: StoredRecord<StoredAgent>, ownerId: string): OfferedAgent {
    const isOwn = value.ownerId === ownerId
    const from: From = isOwn ? { origin: 'own', sharedBy: null } : { origin: 'shared', sharedBy: nameOf(value.ownerId) }
    return offered({ ...value, id, version: revision }, from)
  }

  /** The preset is its maker's, and nothing where they have it no more. */
  async function withPreset(
    agent: OfferedAgent,
    { ownerId, presetId }: { readonly ownerId: string; readonly presetId: string | null },
  ): Promise<OfferedAgent> {
    const preset = presetId === null ? null : await deps.presets?.find({ ownerId, presetId })
    return preset ? { ...agent, preset } : agent
  }

  function shownSharing(sharing: StoredAgent['sharing']): AgentSharing {
    if (sharing.type !== 'people') return sharing
    const emailOf = new Map((people() ?? []).map(({ id, email }) => [id, email]))
    const emails = [...new Set([...sharing.userIds.flatMap((id) => emailOf.get(id) ?? []), ...sharing.emails])]
    return emails.length === 0 ? { type: 'private' } : { type: 'people', emails }
  }

  return {
    async rows(asker) {
      const own = await usable(asker.userId)
      const accepted = await acceptances.of(asker.userId)
      return [...fixed, ...own.map((record) => rowOf(record, asker, accepted)).toSorted(byName)]
    },
    async read(asker, agentId) {
      return fixed.find(({ id }) => id === agentId) ?? shown(await found(asker, agentId), asker)
    },
    async create(asker, { sharing, picture: given, ...fields }) {
      checkTogether(fields.settings)
      const id = ids.next('agent')
      const value = { ...fields, ownerId: asker.userId, sharing: storedSharing(sharing, asker) }
      const picture = given === null ? null : await pictures.keep(id, given)
      return shown(await putWith({ id, version: 0, value: { ...value, picture }, replaced: null }), asker)
    },
    async change(asker, agentId, { version, sharing, picture: given, ...fields }) {
      const { value } = await changeable(asker, agentId)
      checkTogether(fields.settings)
      const next = { ...fields, ownerId: value.ownerId, sharing: storedSharing(sharing, asker) }
      const picture = typeof given === 'string' ? await pictures.keep(agentId, given) : given
      const keptPicture = picture === undefined ? value.picture : picture
      const change = { id: agentId, version, value: { ...next, picture: keptPicture }, replaced: value.picture }
      return shown(await putWith(change), asker)
    },
    async readPicture(asker, agentId) {
      if (fixed.some(({ id }) => id === agentId)) return null
      const { picture } = (await found(asker, agentId)).value
      return picture === null ? null : pictures.read(agentId, picture)
    },
    async remove(asker, agentId) {
      const { revision, value } = await changeable(asker, agentId)
      await stored.remove(agentId, revision)
      if (value.picture !== null) await pictures.forget(agentId, value.picture)
    },
    async accept(asker, agentId) {
      const record = await found(asker, agentId)
      await acceptances.add(asker.userId, agentId)
      return shown(record, asker)
    },
    async find({ ownerId, agentId }) {
      const row = fixed.find(({ id }) => id === agentId)
      if (row) return withPreset(offered(row, OPERATORS), { ownerId, presetId: row.presetId })
      const record = await stored.get(agentId)
      if (!record || !mayUse(record.value, { userId: ownerId, emails: emailsOf(ownerId) })) return null
      const { ownerId: makerId, presetId } = record.value
      return withPreset(offeredOf(record, ownerId), { ownerId: makerId, presetId })
    },
    async list(ownerId) {
      const [usableOnes, accepted] = await Promise.all([usable(ownerId), acceptances.of(ownerId)])
      const ofFile = fixed.filter(({ origin }) => origin === 'file').map((row) => offered(row, OPERATORS))
      const ofPeople = usableOnes
        .filter(({ id, value }) => value.ownerId === ownerId || value.sharing.type === 'everyone' || accepted.has(id))
        .map((record) => offeredOf(record, ownerId))
        .toSorted(byName)
      const isOwn = ({ origin }: OfferedAgent) => origin === 'own'
      return [...ofPeople.filter(isOwn), ...ofFile, ...ofPeople.filter((agent) => !isOwn(agent))]
    },
  }
}

/** A person, as agents are shared with them. */
interface Person {
  readonly userId: string
  /** In lower case. */
  readonly emails: readonly string[]
}

function mayUse({ ownerId, sharing }: StoredAgent, { userId, emails }: Person): boolean {
  if (ownerId === userId || sharing.type === 'everyone') return true
  if (sharing.type === 'private') return false
  return sharing.userIds.includes(userId) || sharing.emails.some((email) => emails.includes(email))
}

/** What is shared with everyone belongs to the installation: its admins may change it too. */
function mayChange({ ownerId, sharing }: StoredAgent, { userId, role }: Asker): boolean {
  return ownerId === userId || (role === 'admin' && sharing.type === 'everyone')
}

function unknown(agentId: string): RefusedError {
  return new RefusedError(404, 'unknown-agent', `There is no agent ${agentId}`)
}

type Shown = Pick<AgentRow, 'id' | 'version' | 'name' | 'avatar' | 'settings'>

type From = Pick<OfferedAgent, 'origin' | 'sharedBy'>

const OPERATORS: From = { origin: 'operator', sharedBy: null }

function offered({ id, version, name, avatar, settings }: Shown, { origin, sharedBy }: From): OfferedAgent {
  return { agentId: id, name, avatar, version, settings, origin, sharedBy }
}

function builtInRow(): AgentRow {
  const { agentId, name } = DEFAULT_AGENT
  return {
    id: agentId,
    name,
    version: 1,
    avatar: null,
    picture: null,
    settings: {},
    presetId: null,
    voice: null,
    starters: [],
    updatedAt: 0,
    description: 'Answers with nothing set for it.',
    origin: 'built-in',
    sharing: null,
    sharedBy: null,
    accepted: true,
    canChange: false,
  }
}

function fileRow(agent: FileAgent): AgentRow {
  const { id, ...fields } = agent
  return {
    ...fields,
    id,
    version: versionOf(agent),
    picture: null,
    origin: 'file',
    sharing: null,
    sharedBy: null,
    accepted: true,
    canChange: false,
    updatedAt: 0,
  }
}

/** The operator's file has no versions: another content is another one. */
function versionOf(agent: FileAgent): number {
  const digest = createHash('sha256').update(JSON.stringify(agent)).digest('hex')
  return Number.parseInt(digest.slice(0, 8), 16) + 1
}

function byName(one: { readonly name: string }, other: { readonly name: string }): number {
  return one.name.localeCompare(other.name)
}
