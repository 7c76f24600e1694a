import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import * as z from 'zod'
import { type Program, startProgram } from '../support/program.ts'

let dataDir: string
let program: Program
let commandCount = 0

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'holdfast-told-'))
  program = await startProgram(dataDir, {})
})

afterEach(async () => {
  await program.kill()
  await rm(dataDir, { recursive: true })
})

const Entries = z.object({
  entries: z.array(
    z.looseObject({
      type: z.string(),
      section: z.string().optional(),
      text: z.string().optional(),
      stepId: z.string().optional(),
      runId: z.string().optional(),
      purpose: z.string().optional(),
    }),
  ),
})

async function entriesOf(conversationId: string, type: string) {
  const { entries } = Entries.parse(
    await program.call('GET', `/conversations/${conversationId}/entries?after=0&limit=1000`),
  )
  return entries.filter((entry) => entry.type === type)
}

/** Titles are runs too. */
async function endedTurns(conversationId: string): Promise<number> {
  const turns = (await entriesOf(conversationId, 'run-started')).filter(({ purpose }) => purpose === 'turn')
  const ended = new Set((await entriesOf(conversationId, 'run-finished')).map(({ runId }) => runId))
  return turns.filter(({ runId }) => ended.has(runId)).length
}

async function turn(conversationId: string, text: string): Promise<void> {
  const before = await endedTurns(conversationId)
  await program.call('POST', `/conversations/${conversationId}/inputs`, {
    commandId: `send_${++commandCount}`,
    content: [{ type: 'text', text }],
  })
  await expect.poll(() => endedTurns(conversationId)).toBe(before + 1)
}

/** What the inspector shows of the newest request of a turn: what the model was sent. */
async function sentLast(conversationId: string): Promise<string> {
  const steps = await entriesOf(conversationId, 'step-started')
  const last = steps.findLast(({ purpose }) => purpose === 'turn')?.stepId ?? ''
  const receipt = z
    .object({ request: z.looseObject({ system: z.unknown(), messages: z.unknown() }) })
    .parse(await program.call('GET', `/conversations/${conversationId}/requests/${last}`))
  return JSON.stringify(receipt.request.messages)
}

test('[REQ6, SCHED52, SCHED53] the program tells a model which schedules concern its conversation, once, and again when one is paused or gone', async () => {
  const { id } = z
    .object({ id: z.string() })
    .parse(await program.call('POST', '/conversations', { commandId: 'begin', modelId: 'demo' }))
  await turn(id, 'Before any schedule.')
  const schedule = (more: object) =>
    program.call('POST', '/schedules', {
      modelId: 'demo',
      rule: { type: 'cron', expression: '30 9 * * *' },
      timeZone: 'Asia/Tokyo',
      ...more,
    })
  const made = z
    .object({ id: z.string() })
    .parse(await schedule({ name: 'Bells', content: [{ type: 'text', text: 'Ring the bells' }], target: id }))
  await schedule({ name: 'Elsewhere', content: [{ type: 'text', text: 'Nothing of this' }] })
  const notes = async () => (await entriesOf(id, 'context-noted')).filter(({ section }) => section === 'schedules')
  expect(await notes()).toEqual([])

  await turn(id, 'When do the bells ring?')
  expect(await sentLast(id)).toMatch(
    /<note kind=\\"schedules\\">.*- On, next \w+, \d+ \w+ \d{4} at 09:30: &quot;Bells&quot;, every day at 09:30 \(Asia\/Tokyo\); answers in this conversation\. It asks: &quot;Ring the bells&quot;/,
  )
  // A run of the schedule in this conversation, and one more turn of the person.
  await program.call('POST', `/schedules/${made.id}/run`, {})
  await expect.poll(() => endedTurns(id)).toBe(3)
  await turn(id, 'And now?')
  expect(await notes()).toHaveLength(1)
  expect(JSON.stringify(await notes())).not.toContain('Elsewhere')

  await program.call('PATCH', `/schedules/${made.id}`, { isOn: false })
  await turn(id, 'And paused?')
  expect(await sentLast(id)).toContain('- Paused: &quot;Bells&quot;')
  const headers = { authorization: `Bearer ${program.token}` }
  const gone = await fetch(`${program.url}/api/v1/schedules/${made.id}`, { method: 'DELETE', headers })
  expect(gone.status).toBe(200)
  await turn(id, 'And gone?')
  expect((await notes()).at(-1)?.text).toContain('no longer holds')
  expect(await notes()).toHaveLength(3)
}, 120_000)
