import { posix } from 'node:path'
import markdownIt from 'markdown-it'

const ELSEWHERE = /^(?:[a-z]+:|\/\/)/i

/**
 * Markdown as the repository writes it: its links between files lead from page to page, and nothing is written that a strict
 * content policy refuses.
 *
 * @param {{ pages: readonly { source: string, url: string }[], isThere: (path: string) => boolean }} site
 */
export function createMarkdown({ pages, isThere }) {
  const urls = new Map(pages.map(({ source, url }) => [source, url]))
  const library = markdownIt({ html: true })

  library.core.ruler.push('site', ({ tokens, env }) => {
    const page = env.source === undefined ? env : { source: env.source, url: env.permalink }
    const slugs = new Map()
    for (const [index, token] of tokens.entries()) {
      if (token.type === 'heading_open') token.attrSet('id', slugOf(tokens[index + 1]?.content ?? '', slugs))
      const style = token.attrGet('style')
      if (style !== null) {
        token.attrs = token.attrs.filter(([name]) => name !== 'style')
        token.attrJoin('class', `at-${style.split(':')[1]}`)
      }
      for (const child of token.children ?? []) placeLink(child, page)
    }
  })

  /** A file without a page is named and leads nowhere. */
  function placeLink(token, page) {
    if (token.type === 'image') token.attrSet('src', placed(token.attrGet('src'), page) ?? '')
    if (token.type !== 'link_open') return
    const href = token.attrGet('href')
    const at = placed(href, page)
    if (at === null) token.attrs = [['class', 'no-page']]
    else token.attrSet('href', at)
    if (ELSEWHERE.test(href)) token.attrSet('rel', 'noreferrer noopener')
  }

  function placed(href, { source, url }) {
    if (ELSEWHERE.test(href) || href.startsWith('#')) return href
    const [path = '', fragment] = href.split('#')
    const target = posix.normalize(posix.join(posix.dirname(source), path))
    const file = target.replace(/\/$/, '')
    const to = urls.get(file) ?? urls.get(`${file}/README.md`) ?? screenOf(file)
    if (to === null && !isThere(file)) throw new Error(`${source} has a link to ${href}, which is not there`)
    if (to === null) return null
    return `${posix.relative(posix.dirname(url), to) || posix.basename(to)}${fragment === undefined ? '' : `#${fragment}`}`
  }

  function screenOf(file) {
    return file.startsWith('docs/screens/') ? file.slice('docs/'.length) : null
  }

  library.renderer.rules.image = (tokens, index, options, env, self) => {
    const token = tokens[index]
    const src = token.attrGet('src')
    token.attrSet('loading', 'lazy')
    token.attrSet('alt', self.renderInlineAsText(token.children ?? [], options, env))
    const drawn = self.renderToken(tokens, index, options)
    const dark = src.replace(/\.png$/, '-dark.png')
    const source = posix.join('docs', posix.join(posix.dirname(env.permalink ?? 'index.html'), dark))
    if (src.endsWith('-dark.png') || !isThere(source)) return drawn
    return `<picture><source media="(prefers-color-scheme: dark)" srcset="${dark}">${drawn}</picture>`
  }

  library.renderer.rules.table_open = () => '<div class="table"><table>'
  library.renderer.rules.table_close = () => '</table></div>'

  library.sectionsOf = ({ source, url, title, text }) => {
    const sections = [{ url, title, heading: '', text: '' }]
    const tokens = library.parse(text, { source, permalink: url })
    for (const [index, token] of tokens.entries()) {
      const inline = tokens[index + 1]
      if (token.type === 'heading_open' && token.tag !== 'h1')
        sections.push({ url: `${url}#${token.attrGet('id')}`, title, heading: plain(inline), text: '' })
      else if (token.type === 'inline' && tokens[index - 1]?.type !== 'heading_open')
        sections.at(-1).text += ` ${plain(token)}`
      else if (token.type === 'fence') sections.at(-1).text += ` ${token.content}`
    }
    return sections.map(({ text: words, ...section }) => ({ ...section, text: words.replaceAll(/\s+/g, ' ').trim() }))
  }
  return library
}

function plain(token) {
  return (token?.children ?? []).map(({ type, content }) => (type === 'softbreak' ? ' ' : content)).join('')
}

/** As GitHub names headings, which the links of the repository expect. */
function slugOf(heading, slugs) {
  const slug = heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-')
  const count = slugs.get(slug) ?? 0
  slugs.set(slug, count + 1)
  return count === 0 ? slug : `${slug}-${count}`
}
