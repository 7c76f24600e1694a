import { type PresetRow, routes } from '@holdfast/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addUser, type Credentials, send, setUp } from './support/people.ts'
import { type Served, serve } from './support/serve.ts'

const MANY = { max: 1_000_000, windowMs: 60_000 }

let served: Served
let owner: Credentials
let other: Credentials

beforeAll(async () => {
  served = await serve({ webRoot: null, withAccounts: true, rateLimits: { api: MANY, signIn: MANY, account: MANY } })
  const admin = await setUp(served)
  owner = await addUser(served, admin, { email: 'owner@example.org', role: 'user' })
  other = await addUser(served, admin, { email: 'other@example.org', role: 'user' })
})

afterAll(() => served.close())

async function presetsOf(who: Credentials): Promise<readonly PresetRow[]> {
  const { body } = await send(served, ['GET', '/presets'], { as: who })
  return routes.listPresets.answers[200].parse(body).presets
}

const change = (who: Credentials, id: string, body: object) =>
  send(served, ['PATCH', `/presets/${id}`], { as: who, body })

describe('presets', () => {
  it('[WS34] three come along, each saying what it is for', async () => {
    const rows = await presetsOf(owner)
    expect(rows.map(({ id, origin, version }) => `${id} ${origin} ${version}`)).toEqual([
      ...['code built-in 0', 'code-lite built-in 0', 'vibe built-in 0'],
    ])
    expect(rows.every(({ says }) => says.length > 40)).toBe(true)
  })

  it('[WS34] one that comes along is changed for its person alone, and goes back to how it came', async () => {
    const answer = await change(owner, 'code', { version: 0, settings: { thinking: 'low' } })
    expect(answer).toMatchObject({
      status: 200,
      body: { origin: 'changed', version: 1, settings: { thinking: 'low' } },
    })
    expect((await presetsOf(other))[0]).toMatchObject({ origin: 'built-in', settings: { thinking: 'high' } })
    expect(await change(owner, 'code', { version: 0, name: 'Late' })).toMatchObject({ status: 409 })
    expect(await send(served, ['DELETE', '/presets/code'], { as: owner })).toMatchObject({ status: 200 })
    expect((await presetsOf(owner))[0]).toMatchObject({ origin: 'built-in', version: 0 })
  })

  it('[WS34] one of a person is theirs alone: nobody else sees, changes or begins with it', async () => {
    const body = { name: 'Mine', says: 'For me', settings: { mapTokens: 500, place: 'worktree' } }
    const made = await send(served, ['POST', '/presets'], { as: owner, body })
    expect(made).toMatchObject({ status: 201, body: { ...body, origin: 'own', version: 1 } })
    const { id } = routes.createPreset.answers[201].parse(made.body)
    expect((await presetsOf(other)).map((row) => row.id)).not.toContain(id)
    expect(await change(other, id, { version: 1, name: 'Hers' })).toMatchObject({ status: 404 })
    const begin = { commandId: 'with-mine', presetId: id }
    expect(await send(served, ['POST', '/conversations'], { as: other, body: begin })).toMatchObject({
      status: 422,
      body: { code: 'unknown-preset' },
    })
    expect(await send(served, ['POST', '/conversations'], { as: owner, body: begin })).toMatchObject({ status: 201 })
  })

  it('[WS33] what a preset cannot set is refused where it is written', async () => {
    const wrong = [{ settings: { thinking: 'very' } }, { settings: { workspaceId: 'w' } }, { settings: { place: 'x' } }]
    for (const body of wrong)
      expect(await send(served, ['POST', '/presets'], { as: owner, body: { name: 'Wrong', ...body } })).toMatchObject({
        status: 400,
      })
  })

  it('[WS33] a conversation says in its row which workspace was chosen, and has no worktree where none is made', async () => {
    const body = { commandId: 'in-a-worktree', presetId: 'code', place: 'worktree' }
    const answer = await send(served, ['POST', '/conversations'], { as: owner, body })
    expect(answer).toMatchObject({ status: 409, body: { code: 'worktree-refused' } })
    const plain = await send(served, ['POST', '/conversations'], { as: owner, body: { commandId: 'plain' } })
    expect(plain).toMatchObject({ status: 201, body: { workspaceId: null, worktreeId: null } })
  })
})
