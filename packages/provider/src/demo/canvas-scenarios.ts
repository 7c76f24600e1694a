import type { Json } from '@holdfast/conversation'
import { type DemoAct, type DemoProgress, type DemoScenario, say } from './demo-act.ts'
import { COUNTING_PAGE, COUNTING_PAGE_DARK } from './demo-pages.ts'

type Step = (progress: DemoProgress) => readonly DemoAct[]

/** The scenarios that draw on the canvas, with the real tools. */
export const CANVAS_SCENARIOS: readonly DemoScenario[] = [
  drawing(
    'canvas-dashboard',
    'cards, a chart, a table and a question on the canvas',
    ['canvas_add_card', 'canvas_show_checklist', 'canvas_show_chart', 'canvas_show_table', 'canvas_show_confirmation'],
    [
      () => [
        say('I put the state of the form on the canvas: what is done, and what is left.\n\n'),
        draw('canvas_add_card', {
          title: 'Signup fields',
          figure: '5 of 9',
          body: 'Five of nine fields are finished. The email rule is stricter now; nothing else in the form changed.',
          tone: 'good',
        }),
        draw('canvas_show_checklist', {
          title: 'Left to do',
          items: [
            { text: 'Refuse a host without a dot', checked: true },
            { text: 'Trim before the check', checked: true },
            'Load the country list once',
          ],
        }),
      ],
      () => [
        say('Now how many signups were turned away each day, and how well each field is covered.\n\n'),
        draw('canvas_show_chart', {
          title: 'Rejected signups per day',
          kind: 'line',
          labels: ['12 Nov', '13', '14', '15', '16', '17', '18', '19', '20'],
          series: [
            { name: 'Bounced mail', values: [52, 49, 47, 44, 40, 31, 27, 22, 9] },
            { name: 'Support tickets', values: [21, 20, 20, 18, 16, 15, 12, 12, 7] },
          ],
        }),
        draw('canvas_show_table', {
          title: 'Coverage by field',
          columns: ['Field', { name: 'Tests', kind: 'number' }, { name: 'Coverage %', kind: 'number' }, 'State'],
          rows: [
            ['Password', 6, 100, 'done'],
            ['Email', 5, 96, 'done'],
            ['Name', 3, 92, 'done'],
            ['Postcode', 2, 71, 'in work'],
            ['Country', 0, 0, 'not started'],
          ],
        }),
        draw('canvas_show_confirmation', {
          title: 'Apply the change to signup.tsx?',
          body: 'Two files, +9 −1. The billing form is not touched.',
          choices: [
            { id: 'not-yet', label: 'Not yet' },
            { id: 'apply', label: 'Apply', style: 'primary' },
          ],
        }),
      ],
      () => [say('The drop on the twentieth is the new rule at work. Press a button on the canvas, or write to me.')],
    ],
  ),
  drawing(
    'canvas-page',
    'a small page that runs apart, and a second version of it',
    ['canvas_show_page', 'canvas_update_element'],
    [
      () => [
        say('I wrote a small page. Open it on the canvas: it runs there by itself, without network.\n\n'),
        draw('canvas_show_page', {
          title: 'A tally',
          description: 'Counts what you count, and shows how fast.',
          html: COUNTING_PAGE,
        }),
      ],
      () => [
        say('And once more in dark colours. The first version stays beside it.\n\n'),
        draw('canvas_update_element', { id: 'page-1', fields: { html: COUNTING_PAGE_DARK } }),
      ],
      () => [
        say(
          'Both versions are on the canvas. The same can stand in a message:\n\n```html\n<title>Hello</title>\n<h1>Hello</h1>\n<script>document.body.append(String(6 * 7))</script>\n```\n',
        ),
      ],
    ],
  ),
  drawing(
    'canvas-all',
    'one element of every kind on the canvas',
    [
      ...['canvas_set_mode', 'canvas_add_card', 'canvas_show_text', 'canvas_show_chart', 'canvas_show_table'],
      ...['canvas_play_media', 'canvas_show_progress', 'canvas_show_timer', 'canvas_show_checklist'],
      ...['canvas_show_form', 'canvas_show_confirmation', 'canvas_show_notification'],
    ],
    [
      () => [
        draw('canvas_set_mode', { mode: 'content', layout: 'auto' }),
        draw('canvas_add_card', { title: 'A card', figure: '96 %', body: 'A figure, and *words* in Markdown.' }),
        draw('canvas_show_text', { title: 'A text', body: 'To be read at length.\n\n- one\n- two' }),
        ...(['bar', 'line', 'area', 'pie'] as const).map((kind) =>
          draw('canvas_show_chart', {
            title: `A chart: ${kind}`,
            kind,
            labels: ['North', 'East', 'South', 'West'],
            series: [
              { name: 'This year', values: [12, 30, 18, 24] },
              ...(kind === 'pie' ? [] : [{ name: 'Last year', values: [10, 22, 21, 19] }]),
            ],
          }),
        ),
        draw('canvas_show_table', {
          title: 'A table',
          columns: ['Name', { name: 'Count', kind: 'number' }],
          rows: Array.from({ length: 300 }, (_, index) => [`Row ${index + 1}`, (index * 37) % 101]),
        }),
        draw('canvas_play_media', {
          title: 'A picture',
          kind: 'image',
          url: 'https://example.org/kelp.jpg',
          description: 'Kelp that holds fast to a rock',
        }),
      ],
      () => [
        draw('canvas_show_progress', { title: 'A progress', value: 31, maximum: 100, caption: '31 of 100 tests' }),
        draw('canvas_show_timer', { title: 'A timer', duration_seconds: 300 }),
        draw('canvas_show_checklist', { title: 'A checklist', items: ['first', { text: 'second', checked: true }] }),
        draw('canvas_show_form', {
          title: 'A form',
          fields: [
            { name: 'name', label: 'Your name', kind: 'text', required: true },
            { name: 'size', label: 'Size', kind: 'choice', choices: ['small', 'large'] },
            { name: 'news', label: 'Send news', kind: 'toggle' },
          ],
        }),
        draw('canvas_show_confirmation', { title: 'A question?' }),
        draw('canvas_show_notification', { text: 'One element of every kind is on the canvas.', tone: 'good' }),
      ],
      () => [say('That is one element of every kind. The form and the question wait for you on the canvas.')],
    ],
  ),
]

/** A call whose input streams like words: the element is seen while it is written. */
function draw(tool: string, input: Json): DemoAct {
  return { type: 'call', tool, input, isSpelledOut: true }
}

/** A scenario that draws, says so, and thanks for answers; it does not read them. */
function drawing(name: string, shows: string, needs: readonly string[], made: readonly Step[]): DemoScenario {
  return {
    name,
    shows,
    tokensPerSecond: 60,
    reportsUsage: true,
    needs,
    acts: (progress) =>
      made[progress.step]?.(progress) ?? [
        say('Your answer from the canvas is here. This is a scripted demo: it does not read what you chose.'),
      ],
  }
}
