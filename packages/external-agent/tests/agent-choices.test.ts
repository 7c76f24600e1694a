import { settingLayers } from '@holdfast/conversation'
import { afterEach, describe, expect, it } from 'vitest'
import { type AgentBench, type BenchOptions, fakeAgent, openAgentBench } from './support/agent-bench.ts'

let bench: AgentBench | null = null

async function open(options: BenchOptions): Promise<AgentBench> {
  bench = await openAgentBench(options)
  return bench
}

afterEach(async () => {
  expect(bench?.faults ?? []).toEqual([])
  await bench?.close()
  bench = null
})

const PICTURE = { mediaType: 'image/png', content: 'not really a picture', name: 'a.png' }
const PICTURE_BLOCK = JSON.stringify({
  type: 'image',
  data: Buffer.from(PICTURE.content).toString('base64'),
  mimeType: 'image/png',
})

/** How the agent was set, in its order. */
const setBy = ({ record }: AgentBench) => record().filter((line) => /^(?:mode|model|option) /.test(line))

const reasonOf = async ({ ofType }: AgentBench) => (await ofType('run-finished')).at(-1)?.reason

describe('what goes along to an external agent', () => {
  it('[AGENT49] is a picture for one that takes pictures, behind the words that name it', async () => {
    const { attach, answers } = await open({ flags: ['images'] })
    await attach(PICTURE, 'blocks')
    const said = await answers()
    expect(said).toContain(PICTURE_BLOCK)
    expect(said).toContain(String.raw`name=\"a.png\" type=\"image/png\" bytes=\"20\" shown=\"yes\"/>`)
  })

  it('[AGENT49] is words for one that takes none', async () => {
    const { attach, answers } = await open({})
    await attach(PICTURE, 'blocks')
    const said = await answers()
    expect(said).not.toContain('"image"')
    expect(said).toContain(String.raw`name=\"a.png\" type=\"image/png\" bytes=\"20\" shown=\"no\"/>`)
  })

  it('[AGENT49] is the words of a text file for every agent, as data that cannot end itself', async () => {
    const { attach, answers } = await open({})
    await attach({ mediaType: 'text/plain', content: 'one</attachment>two', name: 'a.txt' }, 'blocks')
    expect(await answers()).toContain('one&lt;/attachment&gt;two')
  })

  it.each([
    ['embeds', true],
    ['images', false],
  ])('[AGENT49] is a PDF only for one that takes what is embedded: %s', async (flag, isTaken) => {
    const { attach, answers } = await open({ flags: [flag] })
    await attach({ mediaType: 'application/pdf', content: '%PDF', name: 'a.pdf' }, 'blocks')
    expect((await answers()).includes('"type":"resource"')).toBe(isTaken)
  })

  it('[AGENT49] goes along once more where a new session is told the conversation', async () => {
    const first = await open({ flags: ['images'] })
    await first.attach(PICTURE, 'say Seen')
    const second = await first.restart()
    bench = second
    await second.turn('blocks')
    expect(await second.answers()).toContain(PICTURE_BLOCK)
  })
})

describe('what a person chooses of an external agent', () => {
  it.each([
    ['modes and models of their own', ['models'], ['mode wild', 'model large']],
    ['settings', ['options'], ['option m wild', 'option o large']],
  ])('[AGENT51] is set before anything is asked, by %s, and not taken for its own doing', async (_, flags, set) => {
    const one = await open({ flags })
    await one.choose({ externalMode: 'wild', externalModel: 'large' })
    await one.turn('say Hello')
    expect(setBy(one)).toEqual(set)
    expect((await one.ofType('notice-raised')).map(({ code }) => code)).toEqual([])
  })

  it('[AGENT51] holds for the next message of a session that runs, and goes back to what asks and what it began with', async () => {
    const one = await open({ flags: ['options'] })
    await one.turn('say Hello')
    await one.choose({ externalMode: 'wild', externalModel: 'large' })
    await one.turn('say Again')
    await one.choose({ externalMode: null, externalModel: null })
    await one.turn('say Back')
    expect(setBy(one)).toEqual([
      'option m default',
      'option m wild',
      'option o large',
      'option m default',
      'option o small',
    ])
    expect(await one.ofType('agent-attached')).toHaveLength(1)
    expect(await one.ofType('notice-raised')).toEqual([])
  })

  it('[AGENT51] is in the log, and set again in a new process of the agent after a restart', async () => {
    const first = await open({ flags: ['models'] })
    await first.choose({ externalMode: 'wild', externalModel: 'large' })
    expect((await first.ofType('settings-changed')).at(-1)?.changes).toEqual({
      externalMode: 'wild',
      externalModel: 'large',
    })
    await first.turn('say Hello')
    const second = await first.restart()
    bench = second
    await second.turn('say Again')
    expect(setBy(second)).toEqual(['mode wild', 'model large', 'mode wild', 'model large'])
  })

  it('[AGENT51] ends the turn in words where the agent does not offer it, or refuses it, before anything is sent', async () => {
    const one = await open({ flags: ['models', 'no-wild'] })
    await one.choose({ externalMode: 'gone' })
    await one.turn('say Hello')
    expect(await reasonOf(one)).toContain('has no mode gone here; there is: auto, default, wild')
    await one.choose({ externalMode: 'wild' })
    await one.turn('say Hello')
    expect(await reasonOf(one)).toMatch(/untrusted folder.*does not take the mode wild: choose another/)
    await one.choose({ externalMode: null, externalModel: 'huge' })
    await one.turn('say Hello')
    expect(await reasonOf(one)).toContain('offers no model huge')
    expect(one.record().filter((line) => line.startsWith('prompt'))).toEqual([])
    await one.choose({ externalModel: null })
    await one.turn('say At last')
    expect(await one.answers()).toBe('At last')
  })

  it('[AGENT52] is put back where the agent changes it by itself, and that is said', async () => {
    const one = await open({ flags: ['options'] })
    await one.choose({ externalMode: 'wild', externalModel: 'large' })
    await one.turn('options auto large\nsay Hello')
    await expect.poll(() => setBy(one)).toEqual(['option m wild', 'option o large', 'option m wild'])
    await one.turn('options wild small\nsay Hello')
    await expect.poll(() => setBy(one).slice(3)).toEqual(['option o large'])
    expect((await one.ofType('notice-raised')).map(({ text }) => text)).toEqual([
      'Fake changed its mode to auto by itself. It was put back to wild.',
      'Fake changed its model to small by itself. It was put back to large.',
    ])
  })

  it('[AGENT51] is dropped with a switch to another agent', async () => {
    const one = await open({})
    await one.choose({ externalMode: 'wild', externalModel: 'large', paidBy: 'own' })
    expect(settingLayers.reduce(settingLayers.initial, await one.log()).own).toHaveProperty('externalMode')
    await one.choose({ agentId: null })
    expect(settingLayers.reduce(settingLayers.initial, await one.log()).own).toEqual({})
  })
})

/** A model that Google's form reaches through the gateway. */
function payable(id: string, takesImages: boolean | null) {
  const unknown = { contextWindowTokens: null, maxOutputTokens: null }
  return { form: 'google', id, name: id.toUpperCase(), takesImages, ...unknown } as const
}

/** Gemini CLI as the fake plays it, led to a gateway with two models. */
function paidHere(flags: readonly string[]) {
  const asked: unknown[] = []
  const openGateway: BenchOptions['openGateway'] = async (of) => {
    asked.push(of.paidBy)
    if (of.paidBy === 'own') return null
    const models = of.paidBy === 'provider:empty' ? [] : [payable('m', true), payable('blind', false)]
    return { key: 'key-1', origin: 'http://127.0.0.1:1/gateway', models, revoke() {} }
  }
  const options: BenchOptions = { flags, agent: { id: 'gemini' }, agentId: 'external:gemini', openGateway }
  return { asked, options }
}

describe('who pays for an external agent', () => {
  it('[AGENT53] is asked for models that it has, and for no other: the turn ends in words before anything is sent', async () => {
    const one = await open(paidHere([]).options)
    await one.choose({ externalModel: 'blind' })
    await one.turn('env GEMINI_MODEL')
    expect(await one.answers()).toBe('blind')
    await one.choose({ externalModel: 'elsewhere' })
    await one.turn('say Hello')
    expect(await reasonOf(one)).toContain('The model elsewhere is not one that is paid for here; there is: m, blind')
    await one.choose({ externalModel: null })
    await one.turn('env GEMINI_MODEL')
    expect(await one.answers()).toBe('blindm')
    expect(one.record().filter((line) => line.startsWith('prompt'))).toHaveLength(2)
  })

  it('[AGENT49] is sent no picture where the model that pays sees none', async () => {
    const one = await open(paidHere(['images']).options)
    await one.choose({ externalModel: 'blind' })
    await one.attach(PICTURE, 'blocks')
    expect(await one.answers()).not.toContain(PICTURE_BLOCK)
    await one.choose({ externalModel: 'm' })
    await one.attach(PICTURE, 'blocks')
    expect(await one.answers()).toContain(PICTURE_BLOCK)
  })

  it('[AGENT54] is the one that was chosen, in a new process that knows nothing of the other', async () => {
    const { asked, options } = paidHere([])
    const one = await open(options)
    await one.turn('env GEMINI_API_KEY')
    await one.choose({ paidBy: 'own' })
    await one.turn('env GEMINI_API_KEY')
    await one.choose({ paidBy: 'provider:google' })
    await one.turn('env GEMINI_API_KEY')
    expect(asked).toEqual([null, 'own', 'provider:google'])
    expect(await one.answers()).toBe('key-1undefinedkey-1')
    const usage = (await one.ofType('usage-recorded')).map(({ inputTokens }) => inputTokens)
    expect(usage).toEqual([0, 11, 0])
  })

  it('[AGENT54] is never another one than was chosen: without a model in the form of the agent, the turn ends in words', async () => {
    const one = await open(paidHere([]).options)
    await one.choose({ paidBy: 'provider:empty' })
    await one.turn('say Hello')
    expect(await reasonOf(one)).toContain('What is set up as empty does not speak the form of Fake (google)')
    await one.close()
    const added = await open({})
    await added.choose({ paidBy: 'providers' })
    await added.turn('say Hello')
    expect(await reasonOf(added)).toContain('is no known agent')
  })
})

describe('what can be chosen', () => {
  const signal = new AbortController().signal

  it('[AGENT55] is what the agent offers: it is started once to look, asks no model, and is not started again', async () => {
    const { agents, folder, record } = await open({})
    const agent = fakeAgent(folder, { flags: ['options', 'images', 'fork'] })
    const asked = { agent, paidBy: 'own', models: null, folder, signal } as const
    const [first, second] = await Promise.all([agents.choices(asked), agents.choices(asked)])
    expect(second).toEqual(first)
    expect(first).toMatchObject({
      payable: null,
      problem: null,
      offer: {
        modes: [
          { id: 'auto', name: 'AUTO', description: 'About auto', asksFirst: false },
          { id: 'default', asksFirst: true },
          { id: 'wild', asksFirst: false },
        ],
        askMode: 'default',
        models: [{ id: 'small' }, { id: 'large' }],
        currentModelId: 'small',
        takesImages: true,
      },
    })
    expect(await agents.choices(asked)).toEqual(first)
    expect(record().filter((line) => line.startsWith('child'))).toHaveLength(1)
    expect(record().filter((line) => line.startsWith('prompt'))).toEqual([])
  })

  it('[AGENT55] is what a session of it said, without another start, and the models of who pays', async () => {
    const { options } = paidHere(['images', 'fork'])
    const one = await open(options)
    await one.turn('say Hello')
    const agent = fakeAgent(one.folder, options)
    const found = await one.agents.choices({
      agent: one.agent,
      paidBy: 'providers',
      models: [payable('m', true), payable('n', null)],
      folder: one.folder,
      signal,
    })
    expect(found).toMatchObject({ payable: [{ id: 'm' }, { id: 'n' }], offer: { takesImages: true } })
    expect(one.record().filter((line) => line.startsWith('child'))).toHaveLength(1)
    const signedOut = { ...agent, args: [...agent.args, '--sign-in'] }
    const refused = await one.agents.choices({
      agent: signedOut,
      paidBy: 'own',
      models: null,
      folder: one.folder,
      signal,
    })
    expect(refused).toMatchObject({ offer: null, problem: expect.stringContaining('sign in') })
  })
})
