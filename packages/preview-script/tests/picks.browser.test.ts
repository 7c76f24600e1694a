import { createSourceFinder } from '@holdfast/preview-source'
import { PickedElement, type SourceHint } from '@holdfast/protocol'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { FRAMEWORKS, openProject, type Project } from './support/projects.ts'
import { openBrowser, type ShownPage, show } from './support/shown-project.ts'

let browser: Browser

beforeAll(async () => {
  browser = await openBrowser()
})

afterAll(() => browser.close())

for (const framework of FRAMEWORKS)
  test(`[PREV4] names the place of each picked element of ${framework}, its page untouched`, async () => {
    const project = await openProject(framework)
    const shown = await show(browser, project.url)
    try {
      await shown.frame.waitForSelector('[data-pick=button]')
      const names: string[] = await shown.frame
        .locator('[data-pick]')
        .evaluateAll((all) => all.map((one) => one.getAttribute('data-pick') ?? ''))
      const results = []
      for (const name of names) {
        const element = await pick(shown, name)
        const place = element.hint === undefined ? null : await placeOf(project, element.hint)
        results.push({ name, place, expected: expectedPlace(project, name) })
        expect(element.html).toContain(`data-pick="${name}"`)
      }
      const right = results.filter(
        ({ place, expected }) => place !== null && place.file === project.file && place.line === expected.line,
      )
      console.log(`${framework}: ${right.length} of ${results.length} with their very line`)
      if (framework === 'react-19' || framework === 'react-18') {
        expect(results.length).toBe(50)
        expect(
          results.filter(({ place, expected }) => place?.line !== expected.line || place.column !== expected.column),
        ).toEqual([])
      }
      if (framework === 'svelte') expect(right).toHaveLength(results.length)
      if (framework === 'vue')
        expect(results.filter(({ place }) => place?.file === project.file)).toHaveLength(results.length)
      // A page without a framework says nothing, and nothing is guessed.
      if (framework === 'html') expect(results.map(({ place }) => place)).toEqual(results.map(() => null))
    } finally {
      await shown.close()
      await project.close()
    }
  })

async function pick(shown: ShownPage, name: string): Promise<PickedElement> {
  const before = (await shown.told()).filter(({ type }) => type === 'picked').length
  await shown.order({ type: 'pick', on: true })
  const box = await shown.frame.locator(`[data-pick="${name}"]`).evaluate((element) => {
    element.scrollIntoView({ block: 'center' })
    const { left, top, width, height } = element.getBoundingClientRect()
    for (let step = 0; step < 400; step += 1) {
      const x = left + 1 + ((step % 20) / 20) * (width - 2)
      const y = top + 1 + (Math.floor(step / 20) / 20) * (height - 2)
      const seen = document.elementsFromPoint(x, y).find((one) => !one.hasAttribute('popover'))
      if (seen === element || element.localName === 'svg') return { x, y }
    }
    throw new Error('No place of it is seen')
  })
  await shown.page.mouse.move(box.x, box.y)
  await shown.page.mouse.click(box.x, box.y)
  await shown.page.waitForFunction(
    (count) => Reflect.get(window, 'told').filter(({ type }: { type: string }) => type === 'picked').length > count,
    before,
  )
  const told = (await shown.told()).filter(({ type }) => type === 'picked').at(-1)
  return PickedElement.parse(told?.['element'])
}

async function placeOf({ root, url }: Project, hint: SourceHint) {
  const finder = createSourceFinder({
    root,
    folder: '',
    read: async (path, signal) => {
      const answer = await fetch(new URL(path, url), { signal })
      return answer.ok ? answer.text() : null
    },
  })
  const signal = AbortSignal.timeout(5_000)
  if (hint.file !== undefined) return finder.ofFile({ file: hint.file, line: hint.line ?? 1, column: hint.column ?? 0 })
  return hint.stack === undefined ? null : finder.ofStack(hint.stack, signal)
}

/** Where the tag stands in the source: line from 1, column from 0. */
function expectedPlace({ source }: Project, name: string): { line: number; column: number } {
  const [kind = name] = name.split('-')
  const written = [`data-pick="${name}"`, `data-pick={'${kind}-' + index}`].find((text) => source.includes(text))
  const at = source.lastIndexOf('<', source.indexOf(written ?? name))
  const before = source.slice(0, at).split('\n')
  return { line: before.length, column: before.at(-1)?.length ?? 0 }
}
