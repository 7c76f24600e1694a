import { exportHtml, exportMarkdown } from '@holdfast/archive'
import type { CanvasOperation, ElementContent, NewEntry } from '@holdfast/conversation'
import { arbitraryContent, conversationCreated, logOf, wholeTurn } from '@holdfast/conversation/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { written } from './support/written.ts'

const PLAIN = {
  includesToolCalls: false,
  includesThinking: false,
  includesSetAside: false,
  includesUsage: false,
  includesAttachments: false,
}
const person = { type: 'person', userId: 'user_1' } as const
const engine = { type: 'engine' } as const

function drawn(contents: readonly ElementContent[], agentId = 'default'): NewEntry {
  const operations = contents.map((content, index): CanvasOperation => {
    return { type: 'add-element', elementId: `${content.type}-${index + 1}`, number: index + 1, content }
  })
  return { type: 'canvas-changed', actor: engine, agentId, operations, version: 1 }
}

/** Every kind of element, with the same words wherever words may stand. */
function everyKind(text: string): readonly ElementContent[] {
  return [
    { type: 'card', title: text, body: text, figure: text.slice(0, 40), tone: 'bad' },
    { type: 'text', title: text, body: text },
    { type: 'chart', title: text, kind: 'line', labels: [text], series: [{ name: text, values: [null] }], unit: 'ms' },
    { type: 'table', title: text, columns: [{ name: text, kind: 'text' }], rows: [[text], [true], [null], [-1.5]] },
    { type: 'media', title: text, kind: 'image', url: 'https://example.org/a.png', description: text },
    { type: 'progress', title: text, value: 1, maximum: 2, caption: text },
    { type: 'timer', title: text, startedAt: 0, endsAt: 86_400_000 },
    {
      type: 'checklist',
      title: text,
      items: [
        { id: 'a', text, checked: true, byPerson: true },
        { id: 'b', text, checked: false, byPerson: false },
      ],
    },
    {
      type: 'form',
      title: text,
      body: text,
      submitLabel: 'Send',
      answer: null,
      fields: [
        { name: 'who', label: text, kind: 'text', required: false },
        { name: 'news', label: 'News?', kind: 'toggle', required: false },
      ],
    },
    {
      type: 'confirmation',
      title: text,
      body: text,
      answer: null,
      choices: [{ id: 'yes', label: 'Apply it', style: 'primary' }],
    },
    { type: 'page', title: text, html: text, description: text, versions: [] },
  ]
}

/** A conversation whose questions were answered, with the message that an answer is. */
function answered(text: string): NewEntry[] {
  const answer = { type: 'canvas', elementId: 'form-9', answer: { who: text, news: true } } as const
  return [
    conversationCreated('user_1'),
    ...wholeTurn(1, { asked: 'Draw', answered: 'Drawn' }),
    drawn(everyKind(text)),
    {
      type: 'canvas-changed',
      actor: person,
      agentId: 'default',
      version: 2,
      operations: [
        { type: 'answer-form', elementId: 'form-9', values: { who: text, news: true } },
        { type: 'answer-confirmation', elementId: 'confirmation-10', choiceId: 'yes' },
      ],
    },
    { type: 'user-message-sent', actor: person, runId: 'run_1', inputId: 'i', content: [answer] },
  ]
}

const PAYLOADS = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '</table></article><svg onload=alert(1)>',
  '| a | b |\n## Forged',
  '```\nnot closed',
  '[x](javascript:alert(1))',
]

describe('an export shows the canvas', () => {
  it('[CANVAS3, CANVAS6] in Markdown: every kind, and what the person answered there', async () => {
    const markdown = await written(exportMarkdown, logOf('c', answered('Ann')), PLAIN)
    const canvas = markdown.slice(markdown.indexOf('## Canvas'))
    expect(canvas).toContain('### Ann (card-1)\n\nAnn\n\n> Ann')
    expect(canvas).toContain('line chart in ms\n\n|  | Ann |\n| --- | --- |\n| Ann |  |')
    expect(canvas).toContain('| Ann |\n| --- |\n| Ann |\n| yes |\n|  |\n| -1.5 |')
    expect(canvas).toContain('image: https://example.org/a.png')
    expect(canvas).toContain('1 of 2')
    expect(canvas).toContain('Ends at 1970-01-02T00:00:00.000Z')
    expect(canvas).toContain('- [x] Ann\n- [ ] Ann')
    expect(canvas).toMatch(/\| Ann \| Ann \|\n\| News\? \| yes \|\n\nAnswered at 1970-/)
    expect(canvas).toContain('Choices: Apply it\n\nChosen: Apply it')
    expect(markdown).toContain('Answered form-9 on the canvas: who: Ann; news: yes')
  })

  it('[CANVAS3] in HTML, one for each agent that drew, and not where nothing is left', async () => {
    const cleared: NewEntry = {
      type: 'canvas-changed',
      actor: person,
      agentId: 'agent_3',
      version: 2,
      operations: [{ type: 'clear-canvas' }],
    }
    const switched: NewEntry = { type: 'agent-switched', actor: person, agentId: 'agent_2', agentName: 'Second' }
    const log = logOf('c', [
      ...answered('Ann'),
      switched,
      drawn([{ type: 'text', body: 'Of the second' }], 'agent_2'),
      drawn([{ type: 'text', body: 'Of nobody' }], 'agent_3'),
      cleared,
    ])
    const html = await written(exportHtml, log, PLAIN)
    expect(html).toContain('<h2>Canvas of default</h2>')
    expect(html).toContain('<h2>Canvas of Second</h2>')
    expect(html).toContain('Of the second')
    expect(html).not.toContain('Of nobody')
    expect(html).toContain('<tr><td>News?</td><td>yes</td></tr>')
    expect(html).toContain('<li>☑ Ann</li><li>☐ Ann</li>')
    expect(await written(exportHtml, logOf('c', [conversationCreated('user_1')]), PLAIN)).not.toContain('Canvas')
  })

  it.each(PAYLOADS)('[SEC3, CANVAS4] as words and nothing else, wherever this stands: %j', async (words) => {
    const log = logOf('c', answered(words))
    const html = await written(exportHtml, log, PLAIN)
    const safe =
      /^<\/?(?:!doctype html|html(?: lang="en")?|head|body|meta [^<>]*|title|style|h1|h2|article(?: id="entry-\d+")?|header|small|p|div class="words"|div|table|tr|th|td|ul|li|details|summary|pre|a href="https:\/\/example.org\/a.png" rel="noopener noreferrer nofollow"|a)>$/
    for (const tag of html.match(/<[^>]*>/g) ?? []) expect(tag).toMatch(safe)
    const canvas = (await written(exportMarkdown, log, PLAIN)).split('\n## Canvas\n')[1] ?? ''
    expect(canvas).not.toMatch(/^(?:## |```|\||<)(?!.*\|$)/m)
    for (const line of canvas.split('\n')) if (!line.startsWith('>')) expect(line).not.toMatch(/(?<!\\)[<`]/)
  })

  it('[CANVAS4] for any canvas that there may be', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(arbitraryContent, { minLength: 1, maxLength: 6 }), async (contents) => {
        const log = logOf('c', [conversationCreated('user_1'), drawn(contents)])
        const headings = (await written(exportMarkdown, log, PLAIN)).match(/^### /gm) ?? []
        expect(headings).toHaveLength(contents.length)
        expect((await written(exportHtml, log, PLAIN)).match(/<article>/g)).toHaveLength(contents.length)
      }),
    )
  })
})
