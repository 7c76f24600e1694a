import { createSecretMask } from '@holdfast/archive'
import { arbitraryLog, conversationCreated, logOf, wholeTurn } from '@holdfast/conversation/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

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

describe('the mask of an export', () => {
  for (const kind of ['keys', 'mailAddresses', 'homeFolders'] as const)
    it(`[SEC4] masks ${kind} by their looks and counts them`, () => {
      for (const [said, shown] of SECRETS[kind]) {
        const mask = createSecretMask()
        expect(mask.text(`(${said}) and on`)).toBe(`(${shown}) and on`)
        expect(mask.counts()).toEqual({ keys: 0, mailAddresses: 0, homeFolders: 0, [kind]: 1 })
        expect(mask.text(shown)).toBe(shown)
      }
    })

  it('[SEC4] leaves harmless words alone', () => {
    const mask = createSecretMask()
    for (const words of HARMLESS) expect(mask.text(words)).toBe(words)
    expect(mask.counts()).toEqual({ keys: 0, mailAddresses: 0, homeFolders: 0 })
  })

  it('[SEC4] reaches every word of an entry, and leaves what names another entry', () => {
    const secret = `sk-${LONG}`
    const mask = createSecretMask()
    const log = logOf('conversation_1', [
      conversationCreated('ann@example.org'),
      ...wholeTurn(1, { asked: `My key is ${secret}`, answered: `It is ${secret}` }),
    ])
    const masked = log.map(mask.entry)
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
    const masked = createSecretMask().entry(entry)
    expect(JSON.stringify(masked)).not.toMatch(new RegExp(`${LONG}|Q1W2E3R4`))
    expect(masked).toMatchObject({ callId: 'call_1', requestId: 'permission_1', tool: 'shell' })
  })

  it('[SEC4] leaves any log a log: nothing gets longer than what it stood for, or stops being an entry', () => {
    fc.assert(
      fc.property(arbitraryLog, (log) => {
        const mask = createSecretMask()
        for (const entry of log)
          expect(JSON.stringify(mask.entry(entry)).length).toBeLessThanOrEqual(JSON.stringify(entry).length)
      }),
      { numRuns: 50 },
    )
  })

  it('[SEC5] takes linear time for whatever a tool printed', () => {
    const mask = createSecretMask()
    const started = process.cpuUsage()
    for (const piece of ['a', 'a.', 'token=', '://a:', '-----BEGIN PRIVATE KEY-----', '/home/', 'eyJ', 'a@', 'sk-'])
      mask.text(piece.repeat(Math.ceil(300_000 / piece.length)))
    expect(process.cpuUsage(started).user / 1_000).toBeLessThan(20_000)
  })
})
