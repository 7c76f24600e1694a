// An agent of the protocol that does what its prompt says, one act a line, and misbehaves as its arguments say.
import { spawn } from 'node:child_process'
import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const has = (flag) => process.argv.includes(`--${flag}`)
const flagValue = (flag) => process.argv.find((arg) => arg.startsWith(`--${flag}=`))?.slice(flag.length + 3)
const dieAt = flagValue('die-at')
const record = flagValue('record')

if (has('ignore-term')) process.on('SIGTERM', () => {})
if (has('fork')) {
  const child = spawn(process.execPath, ['-e', "process.on('SIGTERM',()=>{});setInterval(()=>{},1000)"], {
    stdio: 'ignore',
  })
  if (record) appendFileSync(record, `child ${child.pid}\n`)
}
process.stderr.write('the fake agent speaks\n')
const told = flagValue('tell')
if (told) process.stderr.write(`my ${told} is ${process.env[told]}\n`)
if (dieAt === 'start') process.exit(3)

let asked = 0
const waiting = new Map()
const sessions = new Map()

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
}
function update(sessionId, sessionUpdate, rest) {
  send({ method: 'session/update', params: { sessionId, update: { sessionUpdate, ...rest } } })
}
function request(method, params) {
  asked += 1
  const id = `fake-${asked}`
  send({ id, method, params })
  return new Promise((resolve) => waiting.set(id, resolve))
}
const text = (words) => ({ content: { type: 'text', text: words } })

const OPTIONS = [
  ...(has('for-good') ? [] : [{ optionId: 'yes', name: 'Allow', kind: 'allow_once' }]),
  { optionId: 'always', name: 'Always', kind: 'allow_always' },
  { optionId: 'no', name: 'Reject', kind: 'reject_once' },
]

/** Asks the door of the tests, which takes the name of a tool and its input. */
async function askHouse(session, name, input) {
  const [server] = session.servers
  const answer = await fetch(server.url, {
    method: 'POST',
    headers: Object.fromEntries(server.headers.map((header) => [header.name, header.value])),
    body: JSON.stringify({ name, input }),
  })
  const said = await answer.json()
  if (record) appendFileSync(record, `house ${name} ${JSON.stringify(said)}\n`)
  return said
}

/** A call of a house tool, told of as its own: `id title-of-the-call name input`. */
async function callHouse(session, { id, title, name, input }, asks) {
  const { sessionId } = session
  const about = { toolCallId: `${session.prefix}${id}`, title, kind: 'other' }
  if (asks) {
    const answer = await request('session/request_permission', {
      sessionId,
      toolCall: { ...about, status: 'pending' },
      options: OPTIONS,
    })
    if (record) appendFileSync(record, `answer ${answer.outcome?.optionId ?? answer.outcome?.outcome}\n`)
  } else update(sessionId, 'tool_call', { ...about, status: 'pending', rawInput: {} })
  update(sessionId, 'tool_call_update', { ...about, status: 'in_progress', rawInput: input })
  const { text: words, isError } = await askHouse(session, name, input)
  const content = [{ type: 'content', ...text(words) }]
  update(sessionId, 'tool_call_update', {
    ...about,
    status: isError ? 'failed' : 'completed',
    content,
    rawInput: input,
  })
}

/** As Codex tells of a call, and asks about it: as something that it executes. */
async function callAsCodex(session, { id, title, name, input }) {
  const { sessionId } = session
  const toolCallId = `${session.prefix}${id}`
  const rawInput = { server: 'holdfast', tool: name, arguments: input }
  update(sessionId, 'tool_call', { toolCallId, title, kind: 'execute', status: 'in_progress', rawInput })
  const answer = await request('session/request_permission', {
    sessionId,
    toolCall: { toolCallId, status: 'pending' },
    options: OPTIONS,
  })
  if (record) appendFileSync(record, `answer ${answer.outcome?.optionId ?? answer.outcome?.outcome}\n`)
  if (answer.outcome?.optionId === 'yes') await askHouse(session, name, input)
  update(sessionId, 'tool_call_update', { toolCallId, status: 'completed', rawInput })
}

/** Asks for a call, and keeps what was answered. */
async function askFor(session, toolCall) {
  const { sessionId } = session
  const answer = await request('session/request_permission', { sessionId, toolCall, options: OPTIONS })
  const outcome = answer.outcome?.optionId ?? answer.outcome?.outcome
  if (record) appendFileSync(record, `answer ${outcome}\n`)
  session.answers.push(outcome)
}

/** What stands behind the name of an act: `id title name input`, with `~` for a blank in the title. */
function houseCall(rest) {
  const [id, title, name, ...input] = rest
  return { id, title: title.replaceAll('~', ' '), name, input: JSON.parse(input.join(' ')) }
}

async function act(session, line) {
  const { sessionId } = session
  const [word, ...rest] = line.split(' ')
  const words = rest.join(' ')
  const call = (fields) => ({ toolCallId: `${session.prefix}${rest[0]}`, ...fields })
  switch (word) {
    case 'say':
      return update(sessionId, 'agent_message_chunk', text(words))
    case 'think':
      return update(sessionId, 'agent_thought_chunk', text(words))
    case 'echo':
      return update(sessionId, 'agent_message_chunk', text(session.prompt))
    case 'env':
      return update(sessionId, 'agent_message_chunk', text(String(process.env[rest[0]])))
    case 'call':
      return update(
        sessionId,
        'tool_call',
        call({ kind: rest[1], title: rest.slice(2).join(' '), status: 'pending', rawInput: {} }),
      )
    case 'same':
      update(sessionId, 'tool_call', {
        toolCallId: `same-${rest[0]}`,
        kind: rest[1],
        title: rest.slice(2).join(' '),
        status: 'pending',
      })
      return update(sessionId, 'tool_call_update', { toolCallId: `same-${rest[0]}`, status: 'completed' })
    case 'begin':
      return update(
        sessionId,
        'tool_call_update',
        call({ status: 'in_progress', rawInput: { command: rest.slice(1).join(' ') } }),
      )
    case 'ask':
      return askFor(
        session,
        call({ kind: rest[1], title: rest.slice(2).join(' '), status: 'pending', rawInput: { path: rest[2] } }),
      )
    // Two questions at once, whose answers are noted as they come.
    case 'ask-together':
      return Promise.all(
        words.split(' & ').map(async (one) => {
          const [id, kind, path] = one.split(' ')
          const about = { toolCallId: `${session.prefix}${id}`, kind, title: path, rawInput: { path } }
          await askFor(session, { ...about, status: 'pending' })
          if (record) appendFileSync(record, `heard ${id}\n`)
        }),
      )
    // As opencode asks to edit: by the whole text before and after, with the change once more among its own arguments.
    case 'ask-diff': {
      const changes = JSON.parse(rest.slice(1).join(' '))
      return askFor(session, {
        ...call({ kind: 'edit', title: changes[0].path, status: 'pending' }),
        rawInput: { filepath: changes[0].path, diff: 'Index: x\n--- x\n+++ x\n', replaceAll: false },
        locations: changes.map(({ path }) => ({ path })),
        content: changes.map((change) => ({ type: 'diff', ...change })),
      })
    }
    // As opencode asks whether it may leave its folder: of the call that it asks for afterwards.
    case 'ask-leave':
      return askFor(session, {
        ...call({ kind: 'other', title: rest[1], status: 'pending' }),
        rawInput: { filepath: join(rest[1], rest[2]), parentDir: rest[1] },
        locations: [{ path: join(rest[1], rest[2]) }, { path: rest[1] }],
      })
    case 'house':
      return callHouse(session, houseCall(rest), false)
    case 'house-asks':
      return callHouse(session, houseCall(rest), true)
    case 'house-codex':
      return callAsCodex(session, houseCall(rest))
    case 'house-together':
      return Promise.all(words.split(' & ').map((one) => callHouse(session, houseCall(one.split(' ')), false)))
    case 'house-quiet':
      return askHouse(session, rest[0], JSON.parse(rest.slice(1).join(' ')))
    case 'house-loses':
      return askHouse(session, rest[0], JSON.parse(rest.slice(1).join(' '))).catch(() => {})
    case 'house-fails':
      update(sessionId, 'tool_call', { ...call({ title: rest[1], kind: 'other' }), status: 'pending', rawInput: {} })
      return update(sessionId, 'tool_call_update', {
        ...call({ title: rest[1], kind: 'other' }),
        status: 'failed',
        content: [{ type: 'content', ...text('the input does not fit') }],
      })
    case 'write':
      if (session.answers.at(-1) === 'no' || session.isCancelled) return undefined
      writeFileSync(join(session.cwd, rest[0]), rest.slice(1).join(' '))
      return undefined
    case 'done':
      return update(
        sessionId,
        'tool_call_update',
        call({ status: 'completed', content: [{ type: 'content', ...text(rest.slice(1).join(' ')) }] }),
      )
    case 'fail':
      return update(
        sessionId,
        'tool_call_update',
        call({ status: 'failed', content: [{ type: 'content', ...text(rest.slice(1).join(' ')) }] }),
      )
    case 'plan':
      return update(sessionId, 'plan', {
        entries: rest.map((content) => ({ content, status: 'pending', priority: 'medium' })),
      })
    case 'stale':
      return update(sessionId, 'tool_call_update', { toolCallId: '1-1', status: 'completed', title: 'old' })
    case 'mode':
      return update(sessionId, 'current_mode_update', { currentModeId: rest[0] })
    case 'options':
      return update(sessionId, 'config_option_update', { configOptions: optionsOf({ mode: rest[0], model: rest[1] }) })
    case 'chosen':
      return update(sessionId, 'agent_message_chunk', text(`works in ${session.set.m} with ${session.set.o}`))
    case 'blocks':
      return update(
        sessionId,
        'agent_message_chunk',
        text(session.blocks.map((block) => JSON.stringify(block)).join(' ')),
      )
    case 'noise':
      process.stdout.write('what is this, no message\n{"jsonrpc": broken\n[]\n')
      return undefined
    case 'big':
      process.stdout.write(`${'x'.repeat(10_000_000)}\n`)
      return undefined
    case 'unknown':
      return update(sessionId, 'from_the_future', { value: 1 })
    case 'read':
      return request('fs/read_text_file', { sessionId, path: rest[0] }).then((answer) =>
        update(sessionId, 'agent_message_chunk', text(JSON.stringify(answer))),
      )
    case 'hang':
      return new Promise((resolve) => {
        session.onCancel = resolve
      })
    case 'die':
      process.exit(Number(rest[0] ?? 1))
      return undefined
    case 'twice':
      session.isTwice = true
      return undefined
    case 'late':
      session.late = words
      return undefined
    case 'refuse':
      session.error = { code: -32603, message: 'Internal error', data: words }
      return undefined
    default:
      return undefined
  }
}

/** Modes and models as settings, the way opencode has them. */
function optionsOf({ mode, model }) {
  const choices = (...ids) => ids.map((value) => ({ value, name: value.toUpperCase(), description: `About ${value}` }))
  return [
    {
      id: 'm',
      name: 'Mode',
      category: 'mode',
      type: 'select',
      currentValue: mode,
      options: choices('auto', 'default', 'wild'),
    },
    {
      id: 'o',
      name: 'Model',
      category: 'model',
      type: 'select',
      currentValue: model,
      options: choices('small', 'large'),
    },
  ]
}

async function prompt(session, id, params) {
  session.prompt = params.prompt.map((block) => block.text ?? '').join('')
  session.blocks = params.prompt
  session.isCancelled = false
  session.answers = []
  session.count += 1
  session.prefix = `${session.count}-`
  if (record) appendFileSync(record, `prompt ${JSON.stringify(session.prompt)}\n`)
  if (dieAt === 'prompt') process.exit(4)
  if (session.swallows) {
    session.swallows = false
    return send({ id, result: { stopReason: 'end_turn' } })
  }
  const acts = session.prompt.split('\n\n').at(-1).split('\n')
  for (const line of acts) {
    if (session.isCancelled && !has('deaf')) break
    await act(session, line.trim())
  }
  if (session.isCancelled && has('late-after-cancel')) update(session.sessionId, 'agent_message_chunk', text('late'))
  if (session.isCancelled && has('deaf')) return undefined
  const answer = session.error
    ? { error: session.error }
    : {
        result: {
          stopReason: session.isCancelled ? 'cancelled' : 'end_turn',
          usage: { inputTokens: 11, outputTokens: 7, totalTokens: 18 },
        },
      }
  session.error = null
  send({ id, ...answer })
  if (session.isTwice) send({ id, ...answer })
  if (session.late) update(session.sessionId, 'agent_message_chunk', text(session.late))
  if (session.isCancelled && has('late-after-cancel')) update(session.sessionId, 'agent_message_chunk', text('later'))
  session.late = null
  return undefined
}

function handle({ id, method, params, result, error }) {
  if (method === undefined) {
    const resolve = waiting.get(id)
    waiting.delete(id)
    return resolve?.(result ?? error)
  }
  switch (method) {
    case 'initialize':
      if (dieAt === 'initialize') process.exit(5)
      if (has('silent')) return undefined
      if (has('noise')) return process.stdout.write('not of the protocol\n')
      return send({
        id,
        result: {
          protocolVersion: Number(flagValue('version') ?? 1),
          agentInfo: { name: 'fake', version: '1.2.3' },
          agentCapabilities: {
            loadSession: false,
            promptCapabilities: { image: has('images'), embeddedContext: has('embeds') },
            mcpCapabilities: { http: has('http') },
          },
          authMethods: [{ id: 'login', name: 'Log in', description: 'Run `fake login` in a terminal' }],
        },
      })
    case 'session/new': {
      if (dieAt === 'new') process.exit(6)
      if (has('mute')) return undefined
      if (has('sign-in')) return send({ id, error: { code: -32000, message: 'Authentication required' } })
      const sessionId = `s${sessions.size + 1}-${process.pid}`
      if (record && params.mcpServers.length > 0)
        appendFileSync(record, `servers ${JSON.stringify(params.mcpServers)}\n`)
      sessions.set(sessionId, { sessionId, cwd: params.cwd, servers: params.mcpServers, count: 0, answers: [] })
      if (has('options')) {
        const session = sessions.get(sessionId)
        session.set = { m: 'auto', o: 'small' }
        return send({ id, result: { sessionId, configOptions: optionsOf({ mode: 'auto', model: 'small' }) } })
      }
      // Before its own answer, as some agents do.
      update(sessionId, 'available_commands_update', { availableCommands: [] })
      return send({
        id,
        result: {
          sessionId,
          modes: {
            currentModeId: 'auto',
            availableModes: [
              { id: 'auto', name: 'Auto' },
              { id: 'default', name: 'Ask' },
              { id: 'wild', name: 'Wild' },
            ],
          },
          ...(has('models')
            ? {
                models: {
                  currentModelId: 'small',
                  availableModels: [{ modelId: 'small', name: 'Small' }, { modelId: 'large' }],
                },
              }
            : {}),
        },
      })
    }
    case 'session/set_config_option': {
      const { set } = sessions.get(params.sessionId)
      if (record) appendFileSync(record, `option ${params.configId} ${params.value}\n`)
      set[params.configId] = params.value
      const configOptions = optionsOf({ mode: set.m, model: set.o })
      update(params.sessionId, 'config_option_update', { configOptions })
      return send({ id, result: { configOptions } })
    }
    case 'session/set_model':
      if (record) appendFileSync(record, `model ${params.modelId}\n`)
      return send({ id, result: {} })
    case 'session/set_mode':
      if (record) appendFileSync(record, `mode ${params.modeId}\n`)
      if (has('no-wild') && params.modeId === 'wild')
        return send({ id, error: { code: -32603, message: 'Internal error', data: { details: 'untrusted folder' } } })
      return send({ id, result: {} })
    case 'session/prompt':
      return prompt(sessions.get(params.sessionId), id, params)
    case 'session/cancel': {
      if (dieAt === 'cancel') process.exit(7)
      const session = sessions.get(params.sessionId)
      if (record) appendFileSync(record, 'cancel\n')
      session.isCancelled = true
      session.swallows = has('swallow')
      return has('deaf') ? undefined : session.onCancel?.()
    }
    default:
      return id === undefined ? undefined : send({ id, error: { code: -32601, message: `no ${method}` } })
  }
}

createInterface({ input: process.stdin }).on('line', (line) => handle(JSON.parse(line)))
process.stdin.on('end', () => {
  if (!has('ignore-term')) process.exit(0)
})
