import type { ChangeReviewer, ReviewQuery } from '@holdfast/engine'
import { says } from '@holdfast/engine/testing'
import type { FileChange, ReviewedFile } from '@holdfast/tool'
import { expect, it, vi } from 'vitest'
import { openHarness } from './support/harness.ts'
import { calls, testTool } from './support/tools.ts'

const actor = { type: 'person', userId: 'user_1' } as const

function fileOf(path: string): ReviewedFile {
  const nothing = { additions: 0, deletions: 0, hunks: [], conflict: null, isKept: false } as const
  return { path, id: `id of ${path}`, status: 'deleted', act: 'create', ...nothing }
}

/** Rejects one file, whatever it is. */
const decisions = [{ path: 'turn-1.txt', keep: false }] as const

/** A folder that notes what it is asked, and in which every change is undone. */
function askedFolder() {
  const asked: ReviewQuery[] = []
  let end: 'of-process' | 'by-error' | null = null
  let isDone = false
  const ends = (how: typeof end): void => {
    isDone ||= end === 'of-process'
    end = how
  }
  const changeReviewer: ChangeReviewer = {
    async read(query) {
      asked.push(query)
      return { base: null, files: query.changes.map(({ change: { path } }) => fileOf(path)) }
    },
    async decide(query) {
      asked.push(query)
      const changes = query.changes.map(({ change: { path } }): FileChange => ({ path, kind: 'created' }))
      const rejected = changes.map(({ path }) => ({ path, lines: ['-words of the agent'], isWhole: true }))
      const marks = changes.map(({ path }) => ({ path, id: `id of ${path}`, keep: false }))
      await query.onPlanned(rejected)
      if (end === 'of-process') await new Promise(() => {})
      if (end === 'by-error') throw new Error('The disk is gone')
      // What is done already is found to be so.
      if (isDone) return { changes: [], marks, rejected: [], conflicts: [] }
      return { changes, marks, rejected, conflicts: [{ path: 'mine.txt', reason: 'Something else changed it.' }] }
    },
  }
  return { asked, ends, ports: { changeReviewer } }
}

/** Two turns, each of which deleted a file. */
async function openTurns() {
  const folder = askedFolder()
  const edit = testTool({ name: 'edit', category: 'edit', waits: true })
  const call = (callId: string) => calls({ callId, name: 'edit', input: { path: '/folder/a.txt' } })
  const harness = await openHarness([call('c1'), says('One'), call('c2'), says('Two'), call('c3')], [edit.tool], null, {
    ports: folder.ports,
  })
  const { engine, conversationId, send, until } = harness
  await engine.changeSettings({ commandId: 'mode', actor, conversationId, changes: { permissionMode: 'accept-edits' } })
  for (const turn of [1, 2]) {
    await send(`Turn ${turn}`, `send_${turn}`)
    await until('tool-call-started', turn)
    const changes: readonly FileChange[] = [{ path: `turn-${turn}.txt`, kind: 'deleted' }]
    edit.contexts.at(-1)?.report({ type: 'files-changed', changes })
    edit.finish('edited')
    await until('run-finished', turn)
  }
  const runIds = (await harness.log()).flatMap((entry) => (entry.type === 'run-started' ? [entry.runId] : []))
  const paths = () => folder.asked.at(-1)?.changes.map(({ change: { path } }) => path)
  return { ...harness, ...folder, runIds, paths }
}

it('[WS1] restores the changes of a run, of one entry, or all since an entry, oldest first', async () => {
  const { engine, conversationId, runIds, paths, log } = await openTurns()
  const [, second = ''] = runIds
  await engine.readChanges({ conversationId, target: { type: 'run', runId: second } })
  expect(paths()).toEqual(['turn-2.txt'])
  await engine.readChanges({ conversationId, target: { type: 'since', seq: 0 } })
  expect(paths()).toEqual(['turn-1.txt', 'turn-2.txt'])
  const seq = (await log()).find(({ type }) => type === 'files-changed')?.seq ?? 0
  await engine.readChanges({ conversationId, target: { type: 'since', seq } })
  expect(paths()).toEqual(['turn-2.txt'])
  await engine.readChanges({ conversationId, target: { type: 'set', seq } })
  expect(paths()).toEqual(['turn-1.txt'])
})

it('[WS1, WS9] writes a rejection down as a change set of its own, which a later one undoes too, with what the model is told', async () => {
  const { engine, conversationId, runIds, paths, log } = await openTurns()
  const target = { type: 'run', runId: runIds[0] ?? '' } as const
  const done = await engine.decideChanges({ commandId: 'back', actor, conversationId, target, decisions })
  const [entry, decided] = (await log()).slice(-2)
  expect(entry).toMatchObject({ type: 'files-changed', actor, restores: target, changes: [{ path: 'turn-1.txt' }] })
  expect(decided).toMatchObject({
    type: 'changes-decided',
    target,
    marks: [{ path: 'turn-1.txt', keep: false }],
    note: expect.stringContaining('turn-1.txt: rejected as a whole\n-words of the agent'),
  })
  expect(done).toEqual({
    seq: entry?.seq,
    restored: ['turn-1.txt'],
    conflicts: [{ path: 'mine.txt', reason: 'Something else changed it.' }],
  })
  await engine.readChanges({ conversationId, target: { type: 'set', seq: done.seq ?? 0 } })
  expect(paths()).toEqual(['turn-1.txt'])
  await engine.readChanges({ conversationId, target: { type: 'since', seq: 0 } })
  expect(paths()).toEqual(['turn-1.txt', 'turn-2.txt', 'turn-1.txt'])
})

it('[WS1, LOG4] restores once for one command, and answers it again as then', async () => {
  const { engine, conversationId, asked, log } = await openTurns()
  const command = { commandId: 'back', actor, conversationId, target: { type: 'since', seq: 0 }, decisions } as const
  const first = await engine.decideChanges(command)
  const count = asked.length
  const head = (await log()).length
  expect(await engine.decideChanges(command)).toEqual(first)
  expect(asked).toHaveLength(count)
  expect(await log()).toHaveLength(head)
  await expect(engine.decideChanges({ ...command, target: { type: 'set', seq: 1 } })).rejects.toMatchObject({
    code: 'command-reused',
  })
})

it('[WS9] a decision whose process ended between the files and the log is written down by the next, and the model is told once', async () => {
  const { engine, conversationId, asked, ends, restart, clock } = await openTurns()
  const count = asked.length
  ends('of-process')
  const command = { commandId: 'back', actor, conversationId, target: { type: 'since', seq: 0 }, decisions } as const
  void engine.decideChanges(command)
  await vi.waitFor(() => expect(asked).toHaveLength(count + 1))
  ends(null)
  const early = await restart([])
  await early.engine.recover()
  // Another process that lives may be about to write it down.
  expect(await early.types()).not.toContain('changes-decided')
  await clock.advance(120_000)
  const next = await early.restart([])
  await next.engine.recover()
  const decided = (await next.log()).filter(({ type }) => type === 'changes-decided')
  expect(decided).toMatchObject([{ actor, commandId: 'back', marks: [{ keep: false }, { keep: false }] }])
  for (const path of ['turn-1.txt', 'turn-2.txt'])
    expect(decided[0]).toMatchObject({ note: expect.stringContaining(`${path}: rejected as a whole`) })
  expect(await next.engine.decideChanges(command)).toMatchObject({ seq: null })
  const head = (await next.log()).length
  await clock.advance(120_000)
  const last = await next.restart([])
  await last.engine.recover()
  expect(await last.log()).toHaveLength(head)
  expect([...next.faults, ...last.faults]).toEqual([])
})

it('[WS9] a decision that failed is said to have failed, and is not carried out by the next process', async () => {
  const { engine, conversationId, ends, asked, log, restart, clock } = await openTurns()
  ends('by-error')
  const command = { commandId: 'back', actor, conversationId, target: { type: 'since', seq: 0 }, decisions } as const
  await expect(engine.decideChanges(command)).rejects.toThrow('The disk is gone')
  ends(null)
  const [head, count] = [(await log()).length, asked.length]
  await clock.advance(120_000)
  const next = await restart([])
  await next.engine.recover()
  expect([(await next.log()).length, asked.length]).toEqual([head, count])
})

it('[WS1] restores nothing while an agent is at work', async () => {
  const { engine, conversationId, send, until, asked } = await openTurns()
  await send('Turn 3', 'send_3')
  await until('tool-call-started', 3)
  const command = { commandId: 'back', actor, conversationId, target: { type: 'since', seq: 0 }, decisions } as const
  await expect(engine.decideChanges(command)).rejects.toMatchObject({ code: 'run-active' })
  expect(asked).toEqual([])
})

it('[WS1] knows no conversation that there is not', async () => {
  const { engine } = await openTurns()
  const question = { conversationId: 'none', target: { type: 'since', seq: 0 }, decisions } as const
  await expect(engine.readChanges(question)).rejects.toMatchObject({ code: 'unknown-conversation' })
})
