import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '@holdfast/engine/system'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type AgentBench, type BenchOptions, fakeAgent, openAgentBench } from './support/agent-bench.ts'

let bench: AgentBench | null = null

async function open(options: BenchOptions): Promise<AgentBench> {
  bench = await openAgentBench(options)
  return bench
}

/** A model that Google's form reaches through the gateway. */
function payable(id: string) {
  const unknown = { contextWindowTokens: null, maxOutputTokens: null, takesImages: null }
  return { form: 'google', id, name: id.toUpperCase(), ...unknown } as const
}

/** A process that nobody has waited for yet is dead all the same. */
function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

afterEach(async () => {
  expect(bench?.faults ?? []).toEqual([])
  await bench?.close()
  bench = null
})

describe('an external agent', () => {
  it('[AGENT1] answers a turn as a run like any other: text, thinking and a call with its result', async () => {
    const { turn, log, ofType, answers } = await open({})
    await turn('think hm\nsay Hello\nsay , you.\ncall 1 read Look at a\ndone 1 found it\nsay Done.')
    expect(await answers()).toBe('Hello, you.Done.')
    const [settled] = await ofType('tool-call-settled')
    expect(settled).toMatchObject({ name: 'agent_read', outcome: 'ok', content: [{ type: 'text', text: 'found it' }] })
    const types = (await log()).map(({ type }) => type)
    expect(types.filter((type) => type === 'run-finished')).toHaveLength(1)
    expect(types.at(-1)).toBe('run-finished')
    expect((await ofType('run-finished'))[0]).toMatchObject({ outcome: 'completed' })
  })

  it('[AGENT6] asks a person through our own request, and answers the agent with what they say', async () => {
    const { engine, send, turn, until, ofType, conversationId, folder, record, answers } = await open({})
    await send('ask 1 edit a.txt\nwrite a.txt content\ndone 1 written\nsay Ready.')
    await until('permission-requested', 1)
    expect(existsSync(join(folder, 'a.txt'))).toBe(false)
    const [request] = await ofType('permission-requested')
    const actor = { type: 'person', userId: 'user_1' } as const
    const requestId = request?.requestId ?? ''
    await engine.answerPermission({
      commandId: 'yes',
      actor,
      conversationId,
      requestId,
      decision: 'allow',
      scope: 'call',
    })
    await until('run-finished', 1)
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('content')
    expect(record()).toContain('answer yes')
    expect(await answers()).toBe('Ready.')
    await turn('say Next.')
    expect(await answers()).toBe('Ready.Next.')
  })

  it('[AGENT73] tells the agent each answer as soon as it is given, also while a call that was allowed before goes on', async () => {
    const { engine, send, until, ofType, conversationId, record } = await open({})
    await send('ask-together 1 edit a.txt & 2 edit b.txt\ndone 1 written\ndone 2 written\nsay Ready.')
    await until('permission-requested', 2)
    const actor = { type: 'person', userId: 'user_1' } as const
    for (const [index, { requestId }] of (await ofType('permission-requested')).entries()) {
      const answer = { conversationId, requestId, decision: 'allow', scope: 'call' } as const
      await engine.answerPermission({ commandId: `yes-${index}`, actor, ...answer })
      // The calls end when both have been allowed, and not before.
      await vi.waitFor(() => expect(record().filter((line) => line === 'answer yes')).toHaveLength(index + 1), 10_000)
    }
    await until('run-finished', 1)
    expect((await ofType('tool-call-settled')).map(({ outcome }) => outcome)).toEqual(['ok', 'ok'])
  })

  it('[AGENT68] asks about an edit by what it takes away and brings, once, and not by the whole file', async () => {
    const { send, until, ofType, folder } = await open({})
    const lines = Array.from({ length: 40 }, (_, index) => `line ${index}`)
    const whole = { path: join(folder, 'a.txt'), oldText: lines.join('\n'), newText: lines.with(20, 'new').join('\n') }
    await send(`call 1 edit a.txt\nask-diff 1 ${JSON.stringify([whole])}\ndone 1 written`)
    await until('permission-requested', 1)
    const around = (line: string): string => [...lines.slice(17, 20), line, ...lines.slice(21, 24)].join('\n')
    expect((await ofType('permission-requested'))[0]).toMatchObject({
      tool: 'agent_edit',
      input: { path: 'a.txt', oldText: around('line 20'), newText: around('new'), input: { replaceAll: false } },
    })
    expect(JSON.stringify((await ofType('permission-requested'))[0])).not.toContain('Index: x')
  })

  it('[AGENT68] asks about the edits of one call by every file of it, for people and for rules', async () => {
    const rules = [{ id: 'no-c', effect: 'deny', tool: 'agent_edit', pattern: 'c.txt' }] as const
    const { send, until, ofType, folder } = await open({ rules })
    const changes = ['a.txt', 'b.txt'].map((name) => ({ path: join(folder, name), oldText: null, newText: name }))
    const forbidden = [...changes, { path: join(folder, 'c.txt'), oldText: null, newText: 'c' }]
    await send(`ask-diff 0 ${JSON.stringify(forbidden)}\nask-diff 1 ${JSON.stringify(changes)}`)
    await until('permission-requested', 1)
    expect((await ofType('permission-requested'))[0]?.input).toMatchObject({
      path: 'a.txt',
      paths: ['a.txt', 'b.txt'],
      changes: [
        { path: 'a.txt', oldText: '', newText: 'a.txt' },
        { path: 'b.txt', oldText: '', newText: 'b.txt' },
      ],
    })
    expect((await ofType('tool-call-settled')).map(({ outcome }) => outcome)).toEqual(['denied'])
  })

  it('[AGENT69] asks whether it may leave its folder as that, and about what it does there behind it', async () => {
    const { engine, send, until, ofType, conversationId, record } = await open({})
    const change = [{ path: '/elsewhere/b.txt', oldText: '', newText: 'b' }]
    await send(`call 1 edit b.txt\nask-leave 1 /elsewhere b.txt\nask-diff 1 ${JSON.stringify(change)}\ndone 1 written`)
    const actor = { type: 'person', userId: 'user_1' } as const
    const allow = async (index: number): Promise<void> => {
      await until('permission-requested', index + 1)
      const requestId = (await ofType('permission-requested'))[index]?.requestId ?? ''
      const answer = { conversationId, requestId, decision: 'allow', scope: 'call' } as const
      await engine.answerPermission({ commandId: `yes-${index}`, actor, ...answer })
    }
    await allow(0)
    await allow(1)
    await until('run-finished', 1)
    expect(await ofType('permission-requested')).toMatchObject([
      { tool: 'agent_leave_folder', input: { title: '/elsewhere/b.txt', path: '/elsewhere' } },
      { tool: 'agent_edit', input: { path: '/elsewhere/b.txt', newText: 'b' } },
    ])
    expect(await ofType('tool-call-settled')).toMatchObject([
      { name: 'agent_leave_folder', content: [{ text: expect.stringContaining('nothing is changed') }] },
      { name: 'agent_edit', outcome: 'ok', content: [{ text: 'written' }] },
    ])
    expect(record().filter((line) => line === 'answer yes')).toHaveLength(2)
  })

  it('[AGENT69] shows what was done outside of its folder where the agent asks nothing further', async () => {
    const { turn, ofType } = await open({ rules: [{ id: 'leave', effect: 'allow', tool: 'agent_leave_folder' }] })
    await turn('call 1 read b.txt\nask-leave 1 /elsewhere b.txt\ndone 1 the words of b\nsay Read.')
    expect((await ofType('tool-call-settled')).map(({ name }) => name)).toEqual(['agent_leave_folder', 'agent_read'])
    expect((await ofType('tool-call-settled'))[1]).toMatchObject({
      outcome: 'ok',
      content: [{ text: 'the words of b' }],
    })
  })

  it.each([
    [['for-good'], 'always', 1],
    [[], 'yes', 0],
  ] as const)('[AGENT67] says so where a yes for this once is taken for good: %j', async (flags, answered, count) => {
    const rules = [{ id: 'edits', effect: 'allow', tool: 'agent_edit' }] as const
    const { turn, ofType, record } = await open({ flags, rules })
    await turn('ask 1 edit a.txt\ndone 1 written\nsay Ready.')
    expect(record()).toContain(`answer ${answered}`)
    const said = (await ofType('notice-raised')).filter(({ text }) => text.includes('no yes for one call alone'))
    expect(said).toHaveLength(count)
  })

  it('[AGENT6] tells the agent a no of a person, and shows what it does unasked as running', async () => {
    const { engine, send, until, ofType, conversationId, folder, record } = await open({})
    await send(
      'ask 1 edit a.txt\nwrite a.txt content\nfail 1 refused\ncall 2 execute ls\nbegin 2 ls\ndone 2 listed\nsay Over.',
    )
    await until('permission-requested', 1)
    const [request] = await ofType('permission-requested')
    const actor = { type: 'person', userId: 'user_1' } as const
    const requestId = request?.requestId ?? ''
    await engine.answerPermission({
      commandId: 'no',
      actor,
      conversationId,
      requestId,
      decision: 'deny',
      scope: 'call',
    })
    await until('run-finished', 1)
    expect(record()).toContain('answer no')
    expect(existsSync(join(folder, 'a.txt'))).toBe(false)
    const settled = await ofType('tool-call-settled')
    expect(settled[0]).toMatchObject({ outcome: 'denied' })
    expect(settled.at(-1)).toMatchObject({ name: 'agent_execute', outcome: 'ok' })
    expect((await ofType('tool-call-started')).at(-1)?.decision?.source).toBe('external-agent')
  })

  it('[AGENT36] stops what an agent runs unasked although a rule forbids it, and has it go on without', async () => {
    const { turn, ofType, folder, record, answers } = await open({
      rules: [{ id: 'no-commands', effect: 'deny', tool: 'agent_execute' }],
    })
    await turn('call 1 execute rm\nbegin 1 rm -rf x\nhang\nwrite a.txt x\nsay Done anyway.')
    expect(existsSync(join(folder, 'a.txt'))).toBe(false)
    expect(record()).toContain('cancel')
    expect((await ofType('tool-call-settled'))[0]).toMatchObject({ name: 'agent_execute', outcome: 'denied' })
    expect(record().at(-1)).toContain('forbids')
    expect(await answers()).not.toContain('Done anyway')
    expect((await ofType('run-finished'))[0]).toMatchObject({ outcome: 'completed' })
  })

  it('[AGENT36] says of a call that was over before anybody could forbid it that it ran', async () => {
    const { turn, ofType } = await open({ rules: [{ id: 'no-commands', effect: 'deny', tool: 'agent_execute' }] })
    await turn('call 1 execute ls\ndone 1 listed\nsay Over.')
    expect((await ofType('tool-call-settled'))[0]).toMatchObject({ outcome: 'ok' })
    const [started] = await ofType('tool-call-started')
    expect(started?.decision).toMatchObject({ source: 'external-agent', ruleIds: ['no-commands'] })
  })

  it('[AGENT6] takes the title of a command for the command where the agent tells no other: rules hold for it', async () => {
    const { turn, record, ofType } = await open({
      rules: [{ id: 'no-rm', effect: 'deny', tool: 'agent_execute', pattern: 'rm *' }],
    })
    await turn('ask 1 execute rm -rf x\nsay Over.')
    expect((await ofType('tool-call-settled'))[0]).toMatchObject({ outcome: 'denied' })
    expect(record()).toContain('answer no')
  })

  it('[AGENT2] takes a call of the next prompt for a new one where the model gave it the id of an older', async () => {
    const { turn, answers, ofType } = await open({})
    await turn('same 7 read One\nsay First')
    await turn('same 7 read Two\nsay Second')
    expect(await answers()).toBe('FirstSecond')
    expect(await ofType('tool-call-settled')).toHaveLength(2)
  })

  it.each([
    ['gemini', true],
    ['opencode', false],
  ])('[AGENT38] gives %s another session after a stop in a call: %s', async (id, isNew) => {
    const { send, turn, stop, until, record } = await open({ agent: { id }, agentId: `external:${id}` })
    await send('call 1 execute wait\nbegin 1 sleep 9\nhang')
    await until('tool-call-started', 1)
    await stop()
    await until('run-finished', 1)
    await turn('say Next')
    expect(record().at(-1)?.includes('<conversation-so-far>')).toBe(isNew)
  })

  it('[AGENT2] leaves what comes behind a stopped prompt out of the next', async () => {
    const { send, turn, stop, until, untilPublished, answers, ofType } = await open({ flags: ['late-after-cancel'] })
    await send('say First\nhang')
    await untilPublished('First')
    await stop()
    await until('run-finished', 1)
    await turn('say Second')
    expect(await answers()).toBe('FirstSecond')
    expect((await ofType('run-finished')).map(({ outcome }) => outcome)).toEqual(['stopped', 'completed'])
  })

  it('[AGENT2] takes nothing of a call of an older prompt into the next', async () => {
    const { turn, ofType, answers } = await open({})
    await turn('call 1 read Look\ndone 1 seen\nsay First')
    await turn('stale\nsay Second')
    expect(await answers()).toBe('FirstSecond')
    expect(await ofType('tool-call-settled')).toHaveLength(1)
  })

  it('[AGENT7] gives another session to the prompt behind one that was stopped before anything came of it', async () => {
    const { send, turn, stop, until, answers, agents, record } = await open({ flags: ['late-after-cancel'] })
    await send('hang')
    await expect.poll(() => record().filter((line) => line.startsWith('prompt'))).toHaveLength(1)
    const [pid] = agents.pids()
    await stop()
    await until('run-finished', 1)
    await turn('say Second')
    expect(agents.pids()).not.toContain(pid)
    expect(await answers()).toBe('Second')
  })

  it('[AGENT7] replaces an agent that does not stop, with its group, and tells the next one the conversation', async () => {
    const { send, turn, stop, until, untilPublished, answers, agents, record } = await open({
      flags: ['deaf', 'ignore-term', 'fork'],
    })
    await send('say First\nhang')
    await untilPublished('First')
    const [pid] = agents.pids()
    const child = Number(
      record()
        .find((line) => line.startsWith('child'))
        ?.split(' ')[1],
    )
    await stop()
    await until('run-finished', 1)
    await turn('echo')
    expect(agents.pids()).not.toContain(pid)
    expect(isAlive(pid ?? 0)).toBe(false)
    expect(isAlive(child)).toBe(false)
    expect(await answers()).toContain('<conversation-so-far>')
  })

  it('[AGENT7] sends once more what an agent swallowed behind a stop', async () => {
    const { send, turn, stop, until, untilPublished, answers, record } = await open({ flags: ['swallow'] })
    await send('say First\nhang')
    await untilPublished('First')
    await stop()
    await until('run-finished', 1)
    await turn('say Second')
    expect(await answers()).toBe('FirstSecond')
    expect(record().filter((line) => line.startsWith('prompt') && line.includes('say Second'))).toHaveLength(2)
  })

  it('[AGENT9] tells an agent that was started anew what had been said, once, as data', async () => {
    const first = await open({})
    await first.turn('say One')
    const second = await first.restart()
    bench = second
    await second.turn('echo')
    expect(await second.answers()).toContain('<answer>\nOne\n</answer>')
    expect((await second.ofType('notice-raised')).map(({ code }) => code)).toContain('external-agent-told')
    await second.turn('say Three')
    expect(second.record().at(-1)).toBe('prompt "say Three"')
  })

  it('[AGENT10] skips noise, long lines and updates that it does not know, and answers that nobody asked for', async () => {
    const { turn, answers } = await open({})
    await turn('noise\nbig\nunknown\ntwice\nsay Still here')
    expect(await answers()).toBe('Still here')
    await turn('say And on')
    expect(await answers()).toBe('Still hereAnd on')
  })

  it.each(['start', 'initialize', 'new', 'prompt'])(
    '[AGENT11] ends the turn with what the agent said where it dies at %s',
    async (phase) => {
      const { turn, ofType } = await open({ flags: [`die-at=${phase}`] })
      await turn('say Hello')
      const [failed] = await ofType('run-finished')
      expect(failed?.outcome).toBe('failed')
      expect(failed?.reason).toMatch(/Fake ended with exit code \d.*the fake agent speaks/)
    },
  )

  it('[AGENT11] says which program is missing, and that a person has to sign in', async () => {
    const missing = await open({ agent: { command: 'no-such-agent' } })
    await missing.turn('say Hello')
    expect((await missing.ofType('run-finished'))[0]?.reason).toContain('there is no program no-such-agent')
    await missing.close()
    const signedOut = await open({ flags: ['sign-in'] })
    await signedOut.turn('say Hello')
    expect((await signedOut.ofType('run-finished'))[0]?.reason).toContain('wants you to sign in')
  })

  it('[AGENT6] pins the mode that asks, and puts an agent back that changes it', async () => {
    const { turn, record, ofType } = await open({})
    await turn('mode auto\nsay Hello')
    // It is put back beside its answer.
    await expect.poll(() => record().filter((line) => line === 'mode default')).toHaveLength(2)
    expect((await ofType('notice-raised')).map(({ code }) => code)).toContain('external-agent-mode')
  })

  it('[AGENT15] is refused to who may not run programs on this machine', async () => {
    const { turn, ofType } = await open({ mayUse: () => false })
    await turn('say Hello')
    expect((await ofType('run-finished'))[0]?.reason).toContain('only administrators')
  })

  it('[AGENT13] counts a prompt once, by what the agent says it used', async () => {
    const { turn, ofType } = await open({})
    await turn('call 1 read Look\ndone 1 seen\nsay Hello')
    const records = await ofType('usage-recorded')
    expect(records.map(({ inputTokens, outputTokens, measured }) => [inputTokens, outputTokens, measured])).toEqual([
      [0, 0, true],
      [11, 7, false],
    ])
  })

  it('[AGENT13] leaves the counting to the gateway where it asks through one, whose key ends with its program', async () => {
    let revoked = 0
    const openGateway = async () => ({
      key: 'key-1',
      origin: 'http://127.0.0.1:1/gateway',
      models: [payable('m')],
      revoke: () => void revoked++,
    })
    const { turn, ofType, answers, agents } = await open({
      flags: [],
      agent: { id: 'gemini' },
      agentId: 'external:gemini',
      environment: { PATH: process.env['PATH'], OPENAI_API_KEY: 'secret-of-holdfast' },
      openGateway,
    })
    await turn('env GOOGLE_GEMINI_BASE_URL\nenv GEMINI_API_KEY\nenv OPENAI_API_KEY')
    expect(await answers()).toBe('http://127.0.0.1:1/gateway/googlekey-1undefined')
    expect((await ofType('usage-recorded'))[0]).toMatchObject({ inputTokens: 0, outputTokens: 0 })
    await agents.close()
    expect(revoked).toBe(1)
  })

  it.each([
    ['the gateway counts it', true],
    ['it asks by its own sign-in', false],
  ])('[AGENT13] counts a prompt once that a kill of Holdfast cut, where %s', async (_, isMetered) => {
    const openGateway = async () => ({
      key: 'key-1',
      origin: 'http://127.0.0.1:1/gateway',
      models: [payable('m')],
      revoke: () => {},
    })
    const first = await open({
      agent: { id: 'gemini' },
      agentId: 'external:gemini',
      ...(isMetered ? { openGateway } : {}),
    })
    await first.send('say Hello\nhang')
    await first.untilPublished('Hello')
    bench = await first.kill()
    await bench.until('run-finished', 1)
    const [record] = await bench.ofType('usage-recorded')
    expect(record).toMatchObject({ outcome: 'interrupted', measured: isMetered })
    expect((record?.inputTokens ?? 0) + (record?.outputTokens ?? 0) === 0).toBe(isMetered)
  })

  it('[AGENT64] keeps five programs that wait for their next message, and ends the one that has waited longest', async () => {
    const { agents, engine, turn, until, store } = await open({})
    await turn('say 0')
    const [first] = agents.pids()
    for (let number = 1; number <= 5; number += 1) {
      const actor = { type: 'person', userId: 'user_1' } as const
      const created = { commandId: `create-${number}`, actor, ownerId: 'user_1', title: null, modelId: null }
      await engine.createConversation({ ...created, agentId: 'external:fake' })
      const id = engine.conversationIdFor('user_1', created.commandId)
      const content = [{ type: 'text' as const, text: `say ${number}` }]
      await engine.sendMessage({ commandId: `send-${number}`, actor, conversationId: id, content, lane: 'turn' })
      await vi.waitFor(
        async () => {
          const { entries } = await store.store.read({ conversationId: id, after: 0, limit: 100 })
          expect(entries.map(({ type }) => type)).toContain('run-finished')
        },
        { timeout: 20_000 },
      )
      if (number < 5) expect(agents.pids()).toHaveLength(number + 1)
    }
    await vi.waitFor(() => expect(agents.pids()).toHaveLength(5))
    expect(agents.pids()).not.toContain(first)
    await vi.waitFor(() => expect(isAlive(Number(first))).toBe(false))
    await until('agent-detached', 1)
    await turn('say again')
    expect(agents.pids()).toHaveLength(5)
  })

  it('[AGENT65] ends at once where it was removed: what waits, and the turn that it is at, with why', async () => {
    const { agents, agent, send, turn, until, untilPublished, ofType } = await open({})
    await turn('say Hello')
    const [pid] = agents.pids()
    agents.changed()
    expect(agents.pids()).toEqual([pid])
    await send('say I go on\nhang')
    await untilPublished('I go on')
    agents.removed(agent.id)
    await until('run-finished', 2)
    expect(JSON.stringify(await ofType('step-failed'))).toContain('The agent was removed from Holdfast')
    await vi.waitFor(() => expect(isAlive(Number(pid))).toBe(false))
  })

  it('[AGENT65] ends what waits and was started in a way that was changed since', async () => {
    let isThere = true
    const { agents, turn } = await open({ isThere: () => isThere })
    await turn('say Hello')
    const [pid] = agents.pids()
    isThere = false
    agents.changed()
    await vi.waitFor(() => expect(isAlive(Number(pid))).toBe(false))
    expect(agents.pids()).toEqual([])
  })

  it('[AGENT63] is said to be gone where its program is, and not called a model', async () => {
    let isThere = true
    const { turn, ofType } = await open({ isThere: () => isThere })
    isThere = false
    await turn('say Hello')
    const why =
      'The external agent fake is not on this server: its program is not there any more, or it was removed. Install it, or choose another agent.'
    expect(JSON.stringify(await ofType('run-finished'))).toContain(why)
  })

  it('[AGENT14] is tested by starting it and opening a session, without asking a model', async () => {
    const { agents, folder, record } = await open({})
    const works = await agents.test(fakeAgent(folder, {}), { folder, signal: new AbortController().signal })
    expect(works).toMatchObject({ type: 'works', protocolVersion: 1, version: '1.2.3', askMode: 'default' })
    const signedOut = await agents.test(fakeAgent(folder, { flags: ['sign-in'] }), {
      folder,
      signal: new AbortController().signal,
    })
    expect(signedOut).toMatchObject({
      type: 'fails',
      code: 'sign-in',
      signIns: ['Log in: Run `fake login` in a terminal'],
    })
    expect(record().filter((line) => line.startsWith('prompt'))).toEqual([])
  })

  it('[AGENT47] ends a test in time, with all that the program started, where it does not speak or opens no session', async () => {
    const { agents, folder, record } = await open({})
    for (const flag of ['silent', 'mute']) {
      const enough = new AbortController()
      const testing = agents.test(fakeAgent(folder, { flags: [flag, 'fork', 'ignore-term'] }), {
        folder,
        signal: enough.signal,
      })
      const child = await vi.waitFor(() => {
        const pid = Number(record().at(-1)?.replace('child ', ''))
        if (!isAlive(pid)) throw new Error('It has not started yet')
        return pid
      })
      enough.abort()
      expect(await testing).toMatchObject({ type: 'fails', code: 'cannot-start' })
      expect(isAlive(child)).toBe(false)
    }
    const dead = await agents.test(fakeAgent(folder, { flags: ['die-at=start'] }), {
      folder,
      signal: new AbortController().signal,
    })
    expect(dead).toMatchObject({ type: 'fails', text: expect.stringContaining('the fake agent speaks') })
  })

  it.each([
    ['silent', 'Fake said nothing for 45 seconds after its start. It said: …the fake agent speaks'],
    [
      'noise',
      'Fake printed nothing that is of the protocol for 45 seconds after its start. It said: …the fake agent speaks',
    ],
    [
      'version=9',
      'Fake speaks version 9 of the Agent Client Protocol, and Holdfast version 1: another version of its program may fit',
    ],
  ])('[AGENT61] says of a program with the flag %s why nothing can be begun with it', async (flag, text) => {
    const clock = {
      ...systemClock,
      after: (ms: number, act: () => void) => systemClock.after(ms === 45_000 ? 3_000 : ms, act),
    }
    const { agents, folder } = await open({ clock })
    const at = { folder, signal: new AbortController().signal }
    const found = await agents.test(fakeAgent(folder, { flags: [flag] }), at)
    expect(found).toMatchObject({ type: 'fails', code: 'cannot-start', text })
  })

  it('[AGENT48] says nothing of what a program printed or refused with that is a value of its variables', async () => {
    const env = { TOKEN: 'canary-of-a-variable-7f3e', SHORT: '1' }
    const { agents, folder, turn, log } = await open({ flags: ['tell=TOKEN'], agent: { env } })
    const dead = fakeAgent(folder, { flags: ['tell=TOKEN', 'die-at=new'], agent: { env } })
    const found = await agents.test(dead, { folder, signal: new AbortController().signal })
    expect(found).toMatchObject({ type: 'fails', text: expect.stringContaining('my TOKEN is …') })
    await turn('refuse the key ends wrong')
    await turn('die 3')
    const kept = JSON.stringify(await log())
    expect(kept).toContain('my TOKEN is …')
    expect(kept).toContain('refused: Internal error: the key ends wrong')
    expect(JSON.stringify([found, kept])).not.toContain('canary')
  })

  it('[AGENT12] reads no file for an agent, and looks at the folder from before the prompt until its end', async () => {
    const seen: string[] = []
    const watched: BenchOptions['watched'] = (tool) => ({
      ...tool,
      async run(input, context) {
        seen.push('looks')
        const given = await tool.run(input, context)
        seen.push('looked')
        return given
      },
    })
    const { turn, answers } = await open({ watched })
    await turn('read a.txt\ncall 1 edit Write\nbegin 1 x\nwrite a.txt x\ndone 1 done')
    expect(await answers()).toContain('Method not found')
    // Around the prompt, and around the call in it.
    await expect.poll(() => seen).toEqual(['looks', 'looks', 'looked', 'looked'])
  })
})
