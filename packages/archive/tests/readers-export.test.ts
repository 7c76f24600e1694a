import { exportHtml, exportMarkdown } from '@holdfast/archive'
import {
  listing,
  type NewEntry,
  type TranscriptItem,
  toListing,
  transcript,
  visibleItems,
} from '@holdfast/conversation'
import {
  arbitraryLog,
  conversationCreated,
  logOf,
  pathRewound,
  runFinished,
  runStarted,
  stepFinished,
  stepStarted,
  titleChanged,
  toolCallBlock,
  usageRecorded,
  userMessageSent,
  wholeTurn,
} from '@holdfast/conversation/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { exportedConversation } from '../src/export/exported-conversation.ts'
import { pieces } from './support/import-into.ts'
import { written } from './support/written.ts'

const EVERYTHING = {
  includesToolCalls: true,
  includesThinking: true,
  includesSetAside: true,
  includesUsage: true,
  includesAttachments: true,
}
const PLAIN = {
  includesToolCalls: false,
  includesThinking: false,
  includesSetAside: false,
  includesUsage: false,
  includesAttachments: false,
}

/** A conversation in which every place that holds words of others holds these. */
function everywhere(words: string): NewEntry[] {
  const engine = { type: 'engine' } as const
  const call = { ...toolCallBlock('c', words), inputText: JSON.stringify({ words }) }
  return [
    conversationCreated('user_1'),
    titleChanged(words.slice(0, 200) || 'x', 'user'),
    runStarted('run_1', 'turn'),
    userMessageSent('run_1', 'i', words),
    {
      type: 'user-message-sent',
      actor: engine,
      runId: 'run_1',
      inputId: 'j',
      content: [
        { type: 'element', selector: words, html: words, url: words },
        { type: 'quote', text: words, seq: 1 },
        { type: 'mention', kind: words, id: words, name: words, text: words },
        { type: 'canvas', elementId: words, name: words, text: words },
        { type: 'error', text: words, url: words },
        { type: 'link', url: words, title: words },
        {
          type: 'file',
          attachmentId: words,
          name: words,
          blob: { hash: '0'.repeat(64), sizeBytes: 1, mediaType: words || 'a/b' },
        },
      ],
    },
    stepStarted('run_1', 'step_1', 'turn'),
    stepFinished('run_1', 'step_1', [{ type: 'thinking', text: words }, { type: 'text', text: words }, call]),
    usageRecorded('run_1', 'step_1', { input: 1, output: 2 }),
    {
      type: 'tool-call-settled',
      actor: engine,
      runId: 'run_1',
      stepId: 'step_1',
      callId: 'c',
      name: words,
      outcome: 'error',
      content: [{ type: 'text', text: words }],
      durationMs: 1,
    },
    { type: 'notice-raised', actor: engine, code: words || 'x', severity: 'info', text: words || 'x' },
    {
      type: 'step-failed',
      actor: engine,
      runId: 'run_1',
      stepId: 'step_1',
      attempt: 1,
      error: { code: 'internal', message: words },
    },
    runFinished('run_1', 'completed'),
  ]
}

const PAYLOADS = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '</title><svg onload=alert(1)>',
  '" onmouseover="alert(1)',
  "' autofocus onfocus='alert(1)",
  '<a href="javascript:alert(1)">x</a>',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)//http://a',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:msgbox(1)',
  'http://a"onclick="alert(1)',
  "http://a'><script>1</script>",
  'http://user:pass@[::1',
  'https://exa\u202emple.com/\u0000\u0007',
  '-->',
  ']]>',
  '</style><style>*{}',
  '</pre></details></article>',
  '&lt;script&gt;',
  '\u2028\u2029',
  '<!--',
  '<iframe srcdoc="<script>">',
  '```\n</script>',
  '````',
  '![x](javascript:alert(1))',
  '[x](javascript:alert(1))',
]

/** The tags of a page: escaped words hold no `<`. */
const tagsOf = (html: string): string[] => html.match(/<[^>]*>/g) ?? []
const SAFE_TAG =
  /^<\/?(?:!doctype html|html(?: lang="en")?|head|body|meta [^<>]*|title|style|h1|article(?: id="entry-\d+")?|header|small|p|pre|code|blockquote(?: class="words")?|div(?: class="words")?|details|summary|a href="https?:\/\/[^"<>\s]*" rel="noopener noreferrer nofollow"|a)>$/

describe('an HTML export', () => {
  it.each(PAYLOADS)('[SEC3] holds words and http links only, wherever this stands: %j', async (words) => {
    const html = await written(exportHtml, logOf('c', everywhere(words)), EVERYTHING)
    for (const tag of tagsOf(html)) expect(tag).toMatch(SAFE_TAG)
    expect(html).toContain("default-src 'none'")
  })

  it('[SEC3] holds words and http links only, for any words', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'binary', maxLength: 40 }),
        fc.constantFrom(...PAYLOADS),
        async (some, payload) => {
          const html = await written(exportHtml, logOf('c', everywhere(`${some}${payload}${some}`)), EVERYTHING)
          for (const tag of tagsOf(html)) expect(tag).toMatch(SAFE_TAG)
          expect(html.isWellFormed()).toBe(true)
          expect(html).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/)
        },
      ),
      { numRuns: 300 },
    )
  })

  it('[SEC3] makes links of http addresses, without what follows them in a sentence', async () => {
    const html = await written(
      exportHtml,
      logOf('c', everywhere('See https://example.org/a?b=1&c=2, and (http://example.org).')),
      PLAIN,
    )
    expect(html).toContain('<a href="https://example.org/a?b=1&#38;c=2" rel="noopener noreferrer nofollow">')
    expect(html).toContain('>http://example.org</a>).')
  })
})

describe('a Markdown export', () => {
  it('[LOG14, PRJ4] says of each item what the fold of the whole log says, turn by turn', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryLog, fc.boolean(), async (log, includesSetAside) => {
        const options = { ...EVERYTHING, includesSetAside }
        const conversation = await exportedConversation({ entries: () => pieces(log), options })
        const items = []
        for await (const exported of conversation.items()) items.push(exported)
        const state = transcript.reduce(transcript.initial, log)
        const visible = new Set(visibleItems(state))
        const isShown = (item: TranscriptItem) =>
          !/^title|request/.test(item.role) && (includesSetAside || visible.has(item))
        const whole = state.items.filter(isShown).map((item) => ({ item, isSetAside: !visible.has(item) }))
        expect(items).toEqual(whole)
        const { title, firstWords } = toListing(listing.reduce(listing.initial, log))
        expect(conversation.title).toBe(title ?? firstWords ?? 'Untitled conversation')
      }),
      { numRuns: 300 },
    )
  })

  it('[LOG14] keeps what came late with its call, two turns later', async () => {
    const engine = { type: 'engine' } as const
    const call = { runId: 'run_1', stepId: 'step_1', callId: 'call_1', name: 'look' }
    const content = [{ type: 'text' as const, text: 'came late' }]
    const late: NewEntry = { type: 'tool-result-late', actor: engine, ...call, content, durationMs: 1 }
    const log = logOf('c', [
      conversationCreated('user_1'),
      runStarted('run_1', 'turn'),
      stepStarted('run_1', 'step_1', 'turn'),
      stepFinished('run_1', 'step_1', [toolCallBlock('call_1', 'look')]),
      { type: 'tool-call-settled', actor: engine, ...call, outcome: 'timed-out', content: [], durationMs: 1 },
      runFinished('run_1', 'completed'),
      ...wholeTurn(2, { asked: 'second', answered: 'answered' }),
      late,
      ...wholeTurn(3, { asked: 'third', answered: 'answered' }),
    ])
    expect(await written(exportMarkdown, log, EVERYTHING)).toMatch(
      /Tool look.*Returned later:.*came late.*second.*third/s,
    )
  })

  it.each(PAYLOADS)('[SEC3] keeps what tools and titles say inside of fences and lines: %j', async (words) => {
    const markdown = await written(exportMarkdown, logOf('c', everywhere(words)), EVERYTHING)
    const [heading = ''] = markdown.split('\n')
    expect(heading.replaceAll(/\\./g, '')).not.toMatch(/[<>[\]`]/)
    let fence: string | null = null
    for (const line of markdown.split('\n')) {
      const marks = /^(`{3,})$/.exec(line)?.[1]
      if (marks === undefined) continue
      if (fence === null) fence = marks
      else if (marks.length >= fence.length) fence = null
    }
    expect(fence).toBeNull()
  })

  it('[PRJ6, COST2] shows branches, tools, thinking and figures only where they are asked for', async () => {
    const log = logOf('c', [
      conversationCreated('user_1'),
      ...wholeTurn(1, { asked: 'first', answered: 'kept' }),
      ...wholeTurn(2, { asked: 'second', answered: 'set aside' }),
      pathRewound(8),
      ...wholeTurn(3, { asked: 'third', answered: 'shown' }),
    ])
    const plain = await written(exportMarkdown, log, PLAIN)
    expect(plain).toContain('kept')
    expect(plain).toContain('shown')
    expect(plain).not.toMatch(/set aside\n|tokens read/)
    const whole = await written(exportMarkdown, log, EVERYTHING)
    expect(whole).toMatch(/## Assistant \([^)]*set aside\)\n\nset aside/)
    expect(whole).toContain('*100 tokens read, 50 written, 0.000350 USD*')
    const tools = logOf('c', everywhere('words'))
    expect(await written(exportMarkdown, tools, PLAIN)).not.toMatch(/Tool|^>/m)
    expect(await written(exportMarkdown, tools, EVERYTHING)).toMatch(/\*\*Tool words\*\* \(error\)/)
  })
})
