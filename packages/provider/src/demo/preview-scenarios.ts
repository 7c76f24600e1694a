import { call, type DemoAct, type DemoProgress, type DemoResult, type DemoScenario, say } from './demo-act.ts'

/** Where the pages of the demo are, under the root of the workspace. */
const FOLDER = 'holdfast-demo/preview'
const SCRIPT = `${FOLDER}/shop.js`
const STYLE = `${FOLDER}/shop.css`

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>The shop of the demo</title>
    <link rel="stylesheet" href="shop.css">
  </head>
  <body>
    <main>
      <h1>The shop of the demo</h1>
      <p>Teas: <span id="teas"></span></p>
      <button id="buy">Buy one</button>
    </main>
    <script src="shop.js"></script>
  </body>
</html>
`

const SHOP = `// The shop of the demo.
const teas = ['Assam', 'Sencha', 'Rooibos']
let bought = 0

document.querySelector('#buy').addEventListener('click', () => {
  bought += 1
  document.querySelector('#buy').textContent = 'Bought ' + bought
})
document.querySelector('#teas').textContent = teas.join(', ')
`

/** What is broken in the script: a name that nothing has. The second is mended by nobody. */
const BROKEN = { mended: 'kettles', stubborn: 'stubborn' } as const

const styleOf = (colour: string) => `body { margin: 24px; font: 18px/1.5 system-ui, sans-serif }
button { padding: 8px 16px; border: 0; border-radius: 6px; color: white; background: ${colour}; font: inherit }
`
const COLOURS = ['teal', 'crimson'] as const

const shopWith = (name: string) => SHOP.replace('= teas.join', `= ${name}.join`)

const BREAKS = { 'preview-break': BROKEN.mended, 'preview-same-error': BROKEN.stubborn } as const

/** The scenarios of previews: a page that is shown, broken and mended, and an element of it that is picked. */
export const PREVIEW_SCENARIOS: readonly DemoScenario[] = [
  {
    ...scenarioOf('preview', 'shows a page beside the conversation: pick its button, break it, mend it'),
    needs: ['write', 'preview_start'],
    acts: ({ step, results }) => {
      if (step === 0)
        return [
          call('write', { path: `${FOLDER}/index.html`, content: PAGE }),
          call('write', { path: SCRIPT, content: SHOP }),
          call('write', { path: STYLE, content: styleOf(COLOURS[0]) }),
        ]
      if (step === 1) return [call('preview_start', { folder: FOLDER })]
      return ended(
        results,
        'A page is shown in *Preview* beside the conversation. *Pick element*, click its button, and send that with a word: the button gets another colour. `/demo preview-break` breaks the page, and *Fix* mends it; `/demo preview-same-error` breaks it so that nothing helps, which ends *Auto-fix*.',
      )
    },
  },
  breaking('preview-break', 'breaks the page of `/demo preview`, for you to press Fix'),
  breaking('preview-same-error', 'breaks it so that mending does not help: switch Auto-fix on before'),
]

/** What the script does where a message points at errors or elements of its own page; null where it does not. */
export function previewAnswer(data: readonly string[]): DemoScenario | null {
  const error = data.find((text) => text.startsWith('<page-error'))
  if (error?.includes(`${BROKEN.stubborn} is not defined`)) return mending(BROKEN.stubborn)
  if (error?.includes(`${BROKEN.mended} is not defined`)) return mending(null)
  const isButton = data.some((text) => /^<element [^>]*selector="[^"]*#buy/.test(text))
  return isButton ? PICKED : null
}

const PICKED: DemoScenario = {
  ...scenarioOf('pick', 'another colour for the button that was picked'),
  needs: ['read', 'write'],
  acts: ({ step, results }) => {
    if (step === 0) return [call('read', { path: STYLE })]
    if (step === 1) {
      const [from, to] = results[0]?.text.includes(COLOURS[0]) ? COLOURS : [COLOURS[1], COLOURS[0]]
      return [
        say(`The button that you picked is ${from}; now it becomes ${to}. `),
        call('write', { path: STYLE, content: styleOf(to) }),
      ]
    }
    return ended(results, 'The button has another colour.')
  },
}

/** Mends the script, or writes it anew with the same mistake. */
function mending(mistake: string | null): DemoScenario {
  return {
    ...scenarioOf('mend', 'mends the page of the demo'),
    needs: ['read', 'write'],
    acts: ({ step, results }) => {
      if (step === 0) return [call('read', { path: SCRIPT })]
      if (step === 1) return [call('write', { path: SCRIPT, content: mistake === null ? SHOP : shopWith(mistake) })]
      return ended(results, mistake === null ? 'The page is mended.' : 'That was meant to help, and does not.')
    },
  }
}

function breaking(name: keyof typeof BREAKS, shows: string): DemoScenario {
  return {
    ...scenarioOf(name, shows),
    needs: ['glob', 'read', 'write'],
    acts: ({ step, results }: DemoProgress) => {
      if (step === 0) return [call('glob', { pattern: SCRIPT, include_ignored: true })]
      if (step === 1 && !results[0]?.text.split('\n').includes(SCRIPT))
        return [say('There is no page yet: send `/demo preview` first.')]
      if (step === 1) return [call('read', { path: SCRIPT })]
      if (step === 2) return [call('write', { path: SCRIPT, content: shopWith(BREAKS[name]) })]
      return ended(results, 'The page is broken now: *Preview* says so.')
    },
  }
}

function scenarioOf(name: string, shows: string): Omit<DemoScenario, 'needs' | 'acts'> {
  return { name, shows, tokensPerSecond: 300, reportsUsage: true }
}

/** The last words, or what a tool said instead of doing it. */
function ended(results: readonly DemoResult[], words: string): readonly DemoAct[] {
  const failed = results.find(({ isError }) => isError)
  return [say(failed === undefined ? words : `\`${failed.tool}\` did not do it:\n\n    ${failed.text.slice(0, 300)}`)]
}
