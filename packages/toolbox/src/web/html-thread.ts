import { parentPort } from 'node:worker_threads'
import { convert, type HtmlToTextOptions } from 'html-to-text'
import type { HtmlPage, PageText } from './page-parts.ts'

const port = parentPort
if (!port) throw new Error('This file is the program of a thread; it is not run by itself')
port.once('message', (page: HtmlPage) => port.postMessage(textOfHtml(page)))

const SKIPPED = ['script', 'style', 'noscript', 'template', 'svg', 'iframe', 'nav', 'footer', 'form', 'button', 'img']
/** A main part with less text than this is taken for an empty shell, and the whole page is shown. */
const LEAST_MAIN_CHARS = 200

function textOfHtml({ html, address }: HtmlPage): PageText {
  const title = convert(html, {
    ...optionsFor(address),
    baseElements: { selectors: ['title'], returnDomByDefault: false },
  })
  const main = convert(html, {
    ...optionsFor(address),
    baseElements: { selectors: ['main'], returnDomByDefault: false },
  })
  const text =
    main.length >= LEAST_MAIN_CHARS
      ? main
      : convert(html, { ...optionsFor(address), baseElements: { selectors: ['body'] } })
  return { title: title.replace(/\s+/g, ' ').trim().slice(0, 300), text: text.trim() }
}

function optionsFor(address: string): HtmlToTextOptions {
  return {
    wordwrap: false,
    // Deep and wide pages are made to exhaust a reader: what lies beyond is marked.
    limits: { maxDepth: 100, maxChildNodes: 10_000, maxBaseElements: 1, maxInputLength: 4_194_304, ellipsis: '[…]' },
    selectors: [
      ...SKIPPED.map((selector) => ({ selector, format: 'skip' })),
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
      {
        selector: 'a',
        options: {
          pathRewrite: (path: string) => (URL.canParse(path, address) ? new URL(path, address).href : path),
          ignoreHref: false,
          hideLinkHrefIfSameAsText: true,
          noAnchorUrl: true,
        },
      },
      { selector: 'table', format: 'dataTable', options: { uppercaseHeaderCells: false, maxColumnWidth: 60 } },
    ],
  }
}
