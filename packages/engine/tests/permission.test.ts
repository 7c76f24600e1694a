import { type EntryOf, settingsOver, USUAL_SETTINGS } from '@holdfast/conversation'
import { ALWAYS_RULE } from '@holdfast/engine'
import { says } from '@holdfast/engine/testing'
import { defineTool, type Tool } from '@holdfast/tool'
import { describe, expect, it, vi } from 'vitest'
import * as z from 'zod'
import { type Harness, openHarness } from './support/harness.ts'
import { calls, testTool } from './support/tools.ts'

const person = { type: 'person', userId: 'user_1' } as const
const edit = (callId: string, path: string) => ({ callId, name: 'edit', input: { path } })
const read = (callId: string, path: string) => ({ callId, name: 'read', input: { path } })

async function requests({ log }: Harness): Promise<readonly EntryOf<'permission-requested'>[]> {
  return (await log()).filter((entry) => entry.type === 'permission-requested')
}

async function outcomes({ log }: Harness): Promise<readonly (readonly [string, string])[]> {
  const settled = (await log()).filter((entry) => entry.type === 'tool-call-settled')
  return settled.map(({ callId, outcome }) => [callId, outcome] as const)
}

interface Answer {
  readonly index?: number
  readonly decision?: 'allow' | 'deny' | 'unattended'
  readonly scope?: 'call' | 'conversation' | 'pattern' | 'category' | 'always'
  readonly reason?: string
  readonly userId?: string
  readonly commandId?: string
}

let answered = 0

async function answer(harness: Harness, options: Answer = {}) {
  const { index = 0, decision = 'allow', scope = 'call', reason, userId = 'user_1' } = options
  const { commandId = `answer-${++answered}` } = options
  return harness.engine.answerPermission({
    commandId,
    actor: { type: 'person', userId },
    conversationId: harness.conversationId,
    requestId: (await requests(harness))[index]?.requestId ?? '',
    decision,
    scope,
    ...(reason === undefined ? {} : { reason }),
  })
}

async function changeMode(harness: Harness, permissionMode: string) {
  const { engine, conversationId } = harness
  await engine.changeSettings({
    commandId: `mode-${permissionMode}`,
    actor: person,
    conversationId,
    changes: { permissionMode },
  })
}

describe('a call that needs permission', () => {
  it('[PERM4] does not run before the answer, and then runs once', async () => {
    const { tool, started } = testTool({ name: 'edit', category: 'edit' })
    const harness = await openHarness([calls(edit('c1', 'a')), says('Done')], [tool])
    await harness.send('Hi', 'send-1')
    await harness.until('permission-requested', 1)
    await harness.clock.advance(600_000)
    expect(started).toEqual([])
    expect(await answer(harness)).toEqual({ accepted: true })
    await harness.until('run-finished', 1)
    expect(started).toEqual(['a'])
    const log = await harness.log()
    const [request] = await requests(harness)
    expect(log.find((entry) => entry.type === 'tool-call-started')).toMatchObject({
      decision: { mode: 'ask', source: 'default-policy', requestId: request?.requestId },
    })
  })

  it('[RUN4] parks the run: the lease is given back and nothing waits in memory', async () => {
    const { tool } = testTool({ name: 'edit', category: 'edit' })
    const harness = await openHarness([calls(edit('c1', 'a')), says('Done')], [tool])
    await harness.send('Hi', 'send-1')
    await harness.until('permission-requested', 1)
    const { conversationId, store, clock } = harness
    await vi.waitFor(async () => {
      const lease = await store.acquireLease({ conversationId, holder: 'another', ttlMs: 1 })
      expect(lease).not.toBeNull()
    })
    await clock.advance(100)
    expect(clock.waitingCount()).toBe(0)
  })

  it('[RUN4] goes on after a restart, on whichever replica is answered', async () => {
    const first = testTool({ name: 'edit', category: 'edit' })
    const harness = await openHarness([calls(edit('c1', 'a'))], [first.tool])
    await harness.send('Hi', 'send-1')
    await harness.until('permission-requested', 1)
    const restarted = await harness.restart([says('Done')])
    await restarted.clock.advance(60_000)
    await restarted.engine.recover()
    expect(await restarted.types()).not.toContain('run-finished')
    await answer(restarted)
    await restarted.until('run-finished', 1)
    expect((await restarted.log()).at(-1)).toMatchObject({ outcome: 'completed' })
    expect(first.started).toEqual(['a'])
    expect((await restarted.types()).filter((type) => type === 'run-started')).toHaveLength(1)
  })

  it('[PERM3] takes the first answer; a later one changes nothing and says so', async () => {
    const { tool, started } = testTool({ name: 'edit', category: 'edit' })
    const harness = await openHarness([calls(edit('c1', 'a')), says('Done')], [tool])
    await harness.send('Hi', 'send-1')
    await harness.until('permission-requested', 1)
    expect(await answer(harness, { decision: 'deny', reason: 'Not this one', commandId: 'deny' })).toEqual({
      accepted: true,
    })
    expect(await answer(harness)).toEqual({ accepted: false })
    await harness.until('run-finished', 1)
    expect(started).toEqual([])
    expect(await outcomes(harness)).toEqual([['c1', 'denied']])
    expect(JSON.stringify(harness.model.requests[1])).toContain('Not this one')
    expect(await answer(harness, { decision: 'deny', reason: 'Not this one', commandId: 'deny' })).toEqual({
      accepted: true,
    })
  })

  it('[PERM13] tells an answer that comes too late from one to a request that there never was', async () => {
    const { tool } = testTool({ name: 'edit', category: 'edit' })
    const harness = await openHarness([calls(edit('c1', 'a')), says('Done')], [tool])
    const { engine, conversationId } = harness
    const unknown = (commandId: string) =>
      engine.answerPermission({
        commandId,
        actor: person,
        conversationId,
        requestId: 'permission_none',
        decision: 'allow',
        scope: 'call',
      })
    await harness.send('Hi', 'send-1')
    await harness.until('permission-requested', 1)
    const before = (await harness.log()).length
    await expect(unknown('none-1')).rejects.toMatchObject({ code: 'unknown-permission-request' })
    expect(await harness.log()).toHaveLength(before)
    await answer(harness)
    await harness.until('run-finished', 1)
    expect(await answer(harness, { decision: 'deny' })).toEqual({ accepted: false })
    await expect(answer(harness, { userId: 'user_2' })).rejects.toMatchObject({ code: 'unknown-permission-request' })
    await expect(unknown('none-2')).rejects.toMatchObject({ code: 'unknown-permission-request' })
  })

  it('[PERM6] denied because nobody is there, tells the model that, and no word of a person', async () => {
    const { tool, started } = testTool({ name: 'edit', category: 'edit' })
    const harness = await openHarness([calls(edit('c1', 'a')), says('Done')], [tool])
    await harness.send('Hi', 'send-1')
    await harness.until('permission-requested', 1)
    expect(await answer(harness, { decision: 'unattended' })).toEqual({ accepted: true })
    await harness.until('run-finished', 1)
    expect(started).toEqual([])
    expect(await outcomes(harness)).toEqual([['c1', 'denied']])
    const settled = (await harness.log()).find(({ type }) => type === 'permission-settled')
    expect(settled).toMatchObject({ outcome: 'denied', by: 'unattended' })
    const told = JSON.stringify(harness.model.requests[1])
    expect(told).toContain('Nobody was there to be asked, so this call was denied. It did not run.')
    expect(told).not.toContain('person who was asked')
  })

  it('[PERM3] is answered by the user who was asked and by nobody else', async () => {
    const { tool, started } = testTool({ name: 'edit', category: 'edit' })
    const harness = await openHarness([calls(edit('c1', 'a')), says('Done')], [tool])
    await harness.send('Hi', 'send-1')
    await harness.until('permission-requested', 1)
    await expect(answer(harness, { userId: 'user_2' })).rejects.toThrow('no request for permission')
    expect(started).toEqual([])
    expect(await harness.types()).not.toContain('permission-settled')
  })

  it('[PERM3] asks about all calls of a step at once, and runs them in order as they are answered', async () => {
    const { tool, started } = testTool({ name: 'edit', category: 'edit' })
    const harness = await openHarness([calls(edit('c1', 'a'), edit('c2', 'b')), says('Done')], [tool])
    await harness.send('Hi', 'send-1')
    await harness.until('permission-requested', 2)
    await answer(harness, { index: 1 })
    await harness.clock.advance(1_000)
    expect(started).toEqual([])
    await answer(harness, { index: 0 })
    await harness.until('run-finished', 1)
    expect(started).toEqual(['a', 'b'])
  })

  it('[TOOL7] keeps a call with effects behind one that waits for a person, though nobody has to be asked about it', async () => {
    const { tool, started } = testTool({ name: 'edit', category: 'edit' })
    const harness = await openHarness([calls(edit('c1', '/etc/a'), edit('c2', 'b')), says('Done')], [tool])
    await changeMode(harness, 'accept-edits')
    await harness.send('Hi', 'send-1')
    await harness.until('permission-requested', 1)
    await harness.clock.advance(1_000)
    expect(started).toEqual([])
    await answer(harness)
    await harness.until('run-finished', 1)
    expect(started).toEqual(['/etc/a', 'b'])
  })

  it('[TOOL7] runs the reads beside a read that waits, and settles all after a denial', async () => {
    const reading = testTool({ name: 'read', category: 'read' })
    const harness = await openHarness([calls(read('c1', '/etc/passwd'), read('c2', 'b')), says('Done')], [reading.tool])
    await harness.send('Hi', 'send-1')
    await harness.until('tool-call-settled', 1)
    expect(reading.started).toEqual(['b'])
    await answer(harness, { decision: 'deny' })
    await harness.until('run-finished', 1)
    expect(await outcomes(harness)).toEqual([
      ['c2', 'ok'],
      ['c1', 'denied'],
    ])
  })

  it('[STOP6] is called off by a stop, and its call is not started', async () => {
    const { tool, started } = testTool({ name: 'edit', category: 'edit' })
    const harness = await openHarness([calls(edit('c1', 'a')), says('Next')], [tool])
    await harness.send('Hi', 'send-1')
    await harness.until('permission-requested', 1)
    await harness.clock.advance(1_000)
    await harness.stop('stop-1')
    await harness.until('run-finished', 1)
    expect(await harness.types()).toContain('stop-noted')
    expect(await outcomes(harness)).toEqual([['c1', 'not-started']])
    expect((await harness.log()).at(-1)).toMatchObject({ type: 'run-finished', outcome: 'stopped' })
    expect(await answer(harness)).toEqual({ accepted: false })
    expect(started).toEqual([])
    await harness.send('Go on', 'send-2')
    await harness.until('run-finished', 2)
    expect(JSON.stringify(harness.model.requests[1])).not.toContain('denied')
  })

  it('[PERM5] asks no more in this conversation after a yes for it, until the rule is revoked', async () => {
    const { tool, started } = testTool({ name: 'edit', category: 'edit' })
    const harness = await openHarness(
      [calls(edit('c1', 'a'), edit('c2', 'b')), calls(edit('c3', 'c')), says('Done'), calls(edit('c4', 'd'))],
      [tool],
    )
    await harness.send('Hi', 'send-1')
    await harness.until('permission-requested', 2)
    await answer(harness, { scope: 'conversation' })
    await harness.until('run-finished', 1)
    expect(started).toEqual(['a', 'b', 'c'])
    const rule = (await harness.log()).find((entry) => entry.type === 'permission-rule-changed')
    await harness.engine.revokeRule({
      commandId: 'revoke',
      actor: person,
      conversationId: harness.conversationId,
      ruleId: rule?.type === 'permission-rule-changed' ? rule.ruleId : '',
    })
    await harness.send('Again', 'send-2')
    await harness.until('permission-requested', 3)
    expect(started).toHaveLength(3)
  })

  it('[PERM5] remembers an always for the other conversations of its owner', async () => {
    const { tool, started } = testTool({ name: 'edit', category: 'edit' })
    const harness = await openHarness(
      [calls(edit('c1', 'a')), says('Done'), calls(edit('c2', 'a')), says('Done')],
      [tool],
    )
    await harness.send('Hi', 'send-1')
    await harness.until('permission-requested', 1)
    await answer(harness, { scope: 'always' })
    await harness.until('run-finished', 1)
    const { engine, store } = harness
    const other = await engine.createConversation({
      commandId: 'second',
      actor: person,
      ownerId: 'user_1',
      title: null,
      modelId: null,
    })
    await engine.sendMessage({
      commandId: 'send-2',
      actor: person,
      ...other,
      lane: 'turn',
      content: [{ type: 'text', text: 'The same' }],
    })
    await vi.waitFor(async () => {
      const { entries } = await store.read({ ...other, after: 0, limit: 100 })
      expect(entries.map(({ type }) => type)).toContain('run-finished')
    })
    expect(started).toEqual(['a', 'a'])
  })

  it('[PERM8] judges open requests again when the mode is changed, and runs what it allows', async () => {
    const { tool, started } = testTool({ name: 'edit', category: 'edit' })
    const harness = await openHarness([calls(edit('c1', 'a'), edit('c2', '/etc/b')), says('Done')], [tool])
    await harness.send('Hi', 'send-1')
    await harness.until('permission-requested', 2)
    await changeMode(harness, 'accept-edits')
    await harness.until('tool-call-settled', 1)
    expect(started).toEqual(['a'])
    await changeMode(harness, 'plan')
    await harness.until('run-finished', 1)
    expect(await outcomes(harness)).toEqual([
      ['c1', 'ok'],
      ['c2', 'denied'],
    ])
  })

  it('[PERM6] denies what would ask in a run without a person', async () => {
    const { tool, started } = testTool({ name: 'edit', category: 'edit' })
    const harness = await openHarness([calls(edit('c1', 'a')), says('Done')], [tool])
    const { store, conversationId, engine } = harness
    await store.append({
      conversationId,
      after: 1,
      at: 1,
      entries: [
        {
          type: 'input-admitted',
          actor: { type: 'schedule', scheduleId: 's1' },
          inputId: 'i1',
          lane: 'turn',
          origin: 'schedule',
          content: [{ type: 'text', text: 'Good morning' }],
        },
      ],
    })
    await engine.resume(conversationId)
    await harness.until('run-finished', 1)
    expect(started).toEqual([])
    expect(await outcomes(harness)).toEqual([['c1', 'denied']])
    expect(await harness.types()).not.toContain('permission-requested')
  })

  it('[RUN8] asks about the third identical call in a row, whatever the mode', async () => {
    const { tool, started } = testTool({ name: 'edit', category: 'edit' })
    const scripts = ['c1', 'c2', 'c3'].map((id) => calls(edit(id, 'a')))
    const harness = await openHarness([...scripts, says('Done')], [tool])
    await changeMode(harness, 'bypass')
    await harness.send('Hi', 'send-1')
    await harness.until('permission-requested', 1)
    expect(started).toEqual(['a', 'a'])
    expect(await requests(harness)).toMatchObject([{ source: 'guard', reason: expect.stringContaining('in a row') }])
  })

  it('[PERM12] asks nobody about a call that its tool refuses whatever is answered', async () => {
    const { tool, started } = testTool({ name: 'edit', category: 'edit' })
    const refusing: Tool = { ...tool, refusalOf: () => 'That is outside the workspace.' }
    const harness = await openHarness([calls(edit('c1', '/etc/passwd')), says('Done')], [refusing])
    await harness.send('Hi', 'send-1')
    await harness.until('run-finished', 1)
    expect(started).toEqual([])
    expect(await outcomes(harness)).toEqual([['c1', 'error']])
    expect(await harness.types()).not.toContain('permission-requested')
  })

  it('[PERM8] judges the calls of a step once where nothing that decides has changed', async () => {
    const { tool } = testTool({ name: 'edit', category: 'edit' })
    let checks = 0
    const counted: Tool = {
      ...tool,
      check(input) {
        checks++
        return tool.check(input)
      },
    }
    const made = Array.from({ length: 6 }, (_, index) => edit(`c${index}`, `file-${index}`))
    const harness = await openHarness([calls(...made), says('Done')], [counted])
    await changeMode(harness, 'accept-edits')
    await harness.send('Hi', 'send-1')
    await harness.until('run-finished', 1)
    expect((await outcomes(harness)).map(([, outcome]) => outcome)).toEqual(made.map(() => 'ok'))
    // Once to judge it, and once before it runs.
    expect(checks).toBe(2 * made.length)
  })

  it('[PERM8] obeys a rule for all conversations that came while an earlier call of the step ran', async () => {
    const { tool, started, finish } = testTool({ name: 'edit', category: 'edit', waits: true })
    const harness = await openHarness([calls(edit('c1', 'a'), edit('c2', 'b')), says('Done')], [tool])
    await changeMode(harness, 'accept-edits')
    await harness.send('Hi', 'send-1')
    await vi.waitFor(() => expect(started).toEqual(['a']))
    await harness.engine.addAlwaysRule({ ownerId: 'user_1', rule: { effect: 'deny', tool: 'edit' } })
    finish('edited')
    await harness.until('run-finished', 1)
    expect(started).toEqual(['a'])
    expect(await outcomes(harness)).toEqual([
      ['c1', 'ok'],
      ['c2', 'denied'],
    ])
  })

  it('[PERM7] asks about a call after one of the same step that brought what strangers wrote', async () => {
    const fetching = defineTool({
      name: 'fetch',
      description: 'Reads a page.',
      input: z.object({}),
      category: 'network',
      annotations: { openWorld: true },
      run: () => 'words of strangers',
    })
    const { tool, started } = testTool({ name: 'run', category: 'execute' })
    const script = [
      { callId: 'c1', name: 'fetch', input: {} },
      { callId: 'c2', name: 'run', input: { path: 'a' } },
    ]
    const harness = await openHarness([calls(...script), says('Done')], [fetching, tool])
    await changeMode(harness, 'bypass')
    await harness.send('Hi', 'send-1')
    await harness.until('permission-requested', 1)
    expect(await outcomes(harness)).toEqual([['c1', 'ok']])
    expect((await requests(harness)).map(({ callId, source }) => [callId, source])).toEqual([['c2', 'guard']])
    expect(started).toEqual([])
  })

  it('[PERM8] leaves the question of a guard to a person, whatever the mode becomes', async () => {
    const { tool, started } = testTool({ name: 'edit', category: 'edit' })
    const harness = await openHarness([...['c1', 'c2', 'c3'].map((id) => calls(edit(id, 'a'))), says('Done')], [tool])
    await changeMode(harness, 'accept-edits')
    await harness.send('Hi', 'send-1')
    await harness.until('permission-requested', 1)
    await changeMode(harness, 'bypass')
    await harness.clock.advance(1_000)
    expect(started).toEqual(['a', 'a'])
    expect(await harness.types()).not.toContain('permission-settled')
  })

  it('[RUN4] settles what ran when the process was killed, and keeps the question', async () => {
    const waiting = testTool({ name: 'read', category: 'read', waits: true })
    const harness = await openHarness([calls(read('c1', 'a'), read('c2', '/etc/b'))], [waiting.tool])
    await harness.send('Hi', 'send-1')
    await vi.waitFor(() => expect(waiting.started).toEqual(['a']))
    await harness.until('permission-requested', 1)
    const restarted = await harness.restart([says('Done')])
    await restarted.clock.advance(20_000)
    await restarted.engine.recover()
    expect(await outcomes(restarted)).toEqual([['c1', 'unknown']])
    expect(await restarted.types()).not.toContain('run-finished')
    await answer(restarted)
    await vi.waitFor(() => expect(waiting.started).toEqual(['a', '/etc/b']))
    waiting.finish('text')
    await restarted.until('run-finished', 1)
  })

  it('[RUN4] leaves a question open at a shutdown', async () => {
    const { tool } = testTool({ name: 'edit', category: 'edit' })
    const harness = await openHarness([calls(edit('c1', 'a'))], [tool])
    await harness.send('Hi', 'send-1')
    await harness.until('permission-requested', 1)
    await harness.engine.close()
    expect(await harness.types()).not.toContain('permission-settled')
    expect(await harness.types()).not.toContain('run-finished')
  })

  it('[RUN8] asks about the identical call that is set, also in a run that goes on in another process', async () => {
    for (const limit of [5, 14, 50]) {
      const read = testTool({ name: 'read', category: 'read' })
      const scripts = Array.from({ length: limit }, (_, made) =>
        calls({ callId: `k${made}`, name: 'read', input: { path: 'a' } }),
      )
      const settings = () => settingsOver(USUAL_SETTINGS, { identicalCalls: limit, stepsPerRun: 100 })
      const first = await openHarness(scripts, [read.tool], null, { ports: { settings } })
      await first.send('Hi', 'send-1')
      await first.until('permission-requested', 1)
      expect(read.started).toHaveLength(limit - 1)
      await first.engine.resume(first.conversationId)
      const second = await first.restart([says('Done')])
      await second.store.endLeases()
      await second.engine.recover()
      await second.engine.changeSettings({
        commandId: 'mode',
        actor: { type: 'person', userId: 'user_1' },
        conversationId: first.conversationId,
        changes: { permissionMode: 'bypass' },
      })
      await second.engine.resume(first.conversationId)
      expect(read.started).toHaveLength(limit - 1)
      const rule = { effect: 'deny', tool: 'read' } as const
      const { trial } = await second.engine.tryRule({ ownerId: 'user_1', conversationId: null, rule })
      expect(trial.without).toMatchObject({ allow: limit - 1 })
      await second.engine.close()
    }
  })

  it('[PERM1, RUN13] obeys every rule for all conversations, however many there are', async () => {
    const { tool, started } = testTool({ name: 'edit', category: 'edit' })
    const harness = await openHarness([calls(edit('c1', 'a')), says('Done')], [tool])
    const { records } = harness
    const rule = (id: string) => ({ ownerId: 'user_1', id, revision: 0, at: 1 })
    for (let count = 0; count < 1_100; count++) {
      const value = { effect: 'allow', tool: 'edit', pattern: `/folder/${count}` } as const
      await records.put(ALWAYS_RULE, { ...rule(`rule_${count}`), value })
    }
    await records.put(ALWAYS_RULE, { ...rule('rule_last'), value: { effect: 'deny', tool: 'edit' } })
    await harness.send('Hi', 'send-1')
    await harness.until('run-finished', 1)
    expect(await outcomes(harness)).toEqual([['c1', 'denied']])
    expect(started).toEqual([])
  })
})
