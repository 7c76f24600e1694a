import { createSecretMask } from '@holdfast/archive'
import { doInParts, type InParts } from '@holdfast/conversation'
import { arbitraryLog, conversationCreated, logOf, wholeTurn } from '@holdfast/conversation/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

/** Characters of one part of the work. */
const PART_CHARS = 262_144

/** Built here, so that no scanner of secrets takes this file for a leak. */
const LONG = 'Ab3dEf6hIj9'.repeat(4)

const SECRETS = {
  keys: [
    [`sk-ant-api03-${LONG}`, '[key]'],
    [`ghp_${LONG}`, '[key]'],
    [`AKIA${'Q1W2E3R4T5Y6U7I8'}`, '[key]'],
    [`Authorization: Bearer ${LONG}==`, 'Authorization: Bearer [key]'],
    [`ANTHROPIC_API_KEY="${LONG}"`, 'ANTHROPIC_API_KEY="[key]"'],
    [`{\\"password\\": \\"${LONG}\\"}`, '{\\"password\\": \\"[key]\\"}'],
    [`hf_Ab3-${LONG}`, '[key]'],
    [`hf_${LONG}-${LONG}`, '[key]'],
    [`Authorization: Basic ${'QWxhZGRpbjpvcGVuIHNlc2FtZQ'}==`, 'Authorization: Basic [key]'],
    ['SECRET_KEY=correcthorsebattery', 'SECRET_KEY=[key]'],
    [`postgres://ann:hunt/er@2@db/x`, 'postgres://ann:*@db/x'],
    [`postgres://ann:hunter2@db/x`, 'postgres://ann:*@db/x'],
    [`-----BEGIN PRIVATE KEY-----\n${LONG}\n-----END PRIVATE KEY-----`, '[key]'],
  ],
  mailAddresses: [['Ask ann.b+c@mail.example.org, please', 'Ask [mail], please']],
  homeFolders: [
    ['in /home/ann/notes.txt', 'in /home/~/notes.txt'],
    ['file:///Users/ann/x', 'file:///Users/~/x'],
    ['C:\\Users\\ann\\x', 'C:\\Users\\~\\x'],
  ],
} as const

const HARMLESS = [
  'a risk-assessment-of-the-whole-project',
  'The token: string of the function',
  'npm install pkg@1.2.3 and git@github.com:a/b.git',
  'https://example.org/home/page',
  'password: what is yours?',
  'Basic understanding of https://example.org:8080/a?to=ann@',
  'the KEY = value of a MONKEY=bananas table',
]

function whole<Result>(work: InParts<Result>): Result {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}

const systemClock = {
  monotonicMs: () => performance.now(),
  after(delayMs: number, run: () => void) {
    const timer = setTimeout(run, delayMs)
    return () => clearTimeout(timer)
  },
}

describe('the mask of an export', () => {
  for (const kind of ['keys', 'mailAddresses', 'homeFolders'] as const)
    it(`[SEC4] masks ${kind} by their looks and counts them`, () => {
      for (const [said, shown] of SECRETS[kind]) {
        const mask = createSecretMask()
        expect(whole(mask.text(`(${said}) and on`))).toBe(`(${shown}) and on`)
        expect(mask.counts()).toEqual({ keys: 0, mailAddresses: 0, homeFolders: 0, [kind]: 1 })
        expect(whole(mask.text(shown))).toBe(shown)
      }
    })

  it('[SEC4] leaves harmless words alone', () => {
    const mask = createSecretMask()
    for (const words of HARMLESS) expect(whole(mask.text(words))).toBe(words)
    expect(mask.counts()).toEqual({ keys: 0, mailAddresses: 0, homeFolders: 0 })
  })

  it('[SEC4] reaches every word of an entry, and leaves what names another entry', () => {
    const secret = `sk-${LONG}`
    const mask = createSecretMask()
    const log = logOf('conversation_1', [
      conversationCreated('ann@example.org'),
      ...wholeTurn(1, { asked: `My key is ${secret}`, answered: `It is ${secret}` }),
    ])
    const masked = log.map((entry) => whole(mask.entry(entry)))
    expect(JSON.stringify(masked)).not.toContain(secret)
    expect(masked[0]).toEqual(log[0])
    expect(masked.map(({ seq, type }) => [seq, type])).toEqual(log.map(({ seq, type }) => [seq, type]))
  })

  it('[SEC4] reaches what a tool was given, whatever its fields are called', () => {
    const input = {
      accessKeyId: `AKIA${'Q1W2E3R4T5Y6U7I8'}`,
      sessionIds: [`sk-${LONG}`],
      passwordHash: `ghp_${LONG}`,
      [`sk-${LONG}`]: 'a name',
      callId: `sk-${LONG}`,
    }
    const [entry] = logOf('conversation_1', [
      {
        type: 'permission-requested',
        actor: { type: 'engine' },
        runId: 'run_1',
        stepId: 'step_1',
        requestId: 'permission_1',
        userId: 'user_1',
        callId: 'call_1',
        tool: 'shell',
        input,
        reason: 'it asks',
        source: 'default',
      },
    ])
    if (!entry) throw new Error('There is no entry')
    const masked = whole(createSecretMask().entry(entry))
    expect(JSON.stringify(masked)).not.toMatch(new RegExp(`${LONG}|Q1W2E3R4`))
    expect(masked).toMatchObject({ callId: 'call_1', requestId: 'permission_1', tool: 'shell' })
  })

  it('[SEC4] leaves any log a log: nothing gets longer than what it stood for, or stops being an entry', () => {
    fc.assert(
      fc.property(arbitraryLog, (log) => {
        const mask = createSecretMask()
        for (const entry of log)
          expect(JSON.stringify(whole(mask.entry(entry))).length).toBeLessThanOrEqual(JSON.stringify(entry).length)
      }),
      { numRuns: 50 },
    )
  })

  it('[SEC5] takes linear time for whatever a tool printed', () => {
    const mask = createSecretMask()
    const started = process.cpuUsage()
    for (const piece of ['a', 'a.', 'token=', '://a:', '-----BEGIN PRIVATE KEY-----', '/home/', 'eyJ', 'a@', 'sk-'])
      whole(mask.text(piece.repeat(Math.ceil(300_000 / piece.length))))
    expect(process.cpuUsage(started).user / 1_000).toBeLessThan(20_000)
  })

  it('[SEC31] masks in a long text, which is work in parts, what it masks in a short one, across the parts too', () => {
    const secrets = [...SECRETS.keys, ...SECRETS.mailAddresses, ...SECRETS.homeFolders]
    const words = 'word and '.repeat(30_000)
    for (const [said, shown] of secrets) {
      // The end of the first part stands in the secret, at its beginning, its middle and its end.
      for (const place of [1, Math.floor(said.length / 2), said.length - 1]) {
        const before = words.slice(0, PART_CHARS - place - 1)
        const mask = createSecretMask()
        expect(whole(mask.text(`${before} ${said} ${words}`)).slice(-words.length - shown.length - 2)).toBe(
          ` ${shown} ${words}`,
        )
        expect(Object.values(mask.counts())).toContain(1)
      }
    }
  })

  it('[SEC31] holds nobody else up while it masks ten times as much, which takes at most twelve times as long', async () => {
    const timeOf = async (sizeChars: number) => {
      let longestMs = 0
      let last = performance.now()
      const beside = setInterval(() => {
        longestMs = Math.max(longestMs, performance.now() - last)
        last = performance.now()
      }, 0)
      const text = 'const token = readFile("/home/anna/x.ts"); // see a@b.de\n'.repeat(sizeChars / 58)
      const before = process.cpuUsage()
      last = performance.now()
      await doInParts(createSecretMask().text(text), systemClock)
      clearInterval(beside)
      const { user, system } = process.cpuUsage(before)
      return { tookMs: (user + system) / 1_000, longestMs: Math.max(longestMs, performance.now() - last) }
    }
    await timeOf(1_000_000)
    // The quickest of some: whatever else the machine does takes its part of the others.
    const quickest = async (sizeChars: number) => {
      const times = [await timeOf(sizeChars), await timeOf(sizeChars), await timeOf(sizeChars)]
      return {
        tookMs: Math.min(...times.map(({ tookMs }) => tookMs)),
        longestMs: Math.min(...times.map(({ longestMs }) => longestMs)),
      }
    }
    const isInProportion = async () => {
      const few = await quickest(1_000_000)
      const many = await quickest(10_000_000)
      return many.tookMs < 12 * few.tookMs + 50 && many.longestMs < Math.max(50, many.tookMs / 5)
    }
    // A machine that is busy may take from one of both; what is too slow is so each time.
    await expect.poll(isInProportion, { interval: 0, timeout: 30_000 }).toBe(true)
  })
})
