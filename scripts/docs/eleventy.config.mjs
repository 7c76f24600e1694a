import { cpSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { createMarkdown } from './markdown.mjs'
import { linksOf, pagesOf } from './pages.mjs'

const HERE = import.meta.dirname
const ROOT = join(HERE, '..', '..')
const OUT = join('apps', 'web', 'dist', 'docs')

/** Makes the site of the documentation of what stands in `docs`, in the READMEs and in the lists of public names. [PACK4] */
export default function config(eleventy) {
  const { groups, pages } = pagesOf(ROOT)
  const markdown = createMarkdown({ pages, isThere: (path) => existsSync(join(ROOT, path)) })
  eleventy.setLibrary('md', markdown)
  eleventy.setQuietMode(true)
  eleventy.setUseGitIgnore(false)
  eleventy.addGlobalData('layout', 'page.njk')
  eleventy.addGlobalData('groups', groups)
  eleventy.addFilter('linksFrom', linksOf)
  for (const page of pages)
    eleventy.addTemplate(`${page.url.replace(/\.html$/, '')}.md`, page.text, {
      title: page.title,
      source: page.source,
      permalink: page.url,
      up: page.url.includes('/') ? '../' : '',
    })
  eleventy.on('eleventy.after', () => {
    const sections = pages.flatMap((page) => markdown.sectionsOf(page))
    writeFileSync(join(ROOT, OUT, 'search.json'), JSON.stringify(sections))
    for (const name of ['site.css', 'search.js']) cpSync(join(HERE, 'layout', name), join(ROOT, OUT, name))
    cpSync(join(ROOT, 'docs', 'screens'), join(ROOT, OUT, 'screens'), { recursive: true })
  })
  return {
    dir: { input: join('scripts', 'docs', 'pages'), includes: join('..', 'layout'), output: OUT },
    templateFormats: ['md'],
    markdownTemplateEngine: false,
  }
}
