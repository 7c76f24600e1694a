// Looks through the sections of all pages, which are read with the first letter. Nothing leaves the server.
const field = document.querySelector('#search')
const found = document.querySelector('#found')
const article = document.querySelector('article')
const { up } = document.body.dataset
const MOST = 30
const AROUND = 90

let sections = null

async function sectionsOnce() {
  sections ??= (await fetch(`${up}search.json`)).json()
  return sections
}

/** Who looks for how something is done wants a guide before what stands in lists for who builds on it. */
const FOR_BUILDERS = /^(?:packages|decisions)\/|^(?:[A-Z]+|not-yet-built)\.html/

/** What a question has beside what it asks for. */
const FILLERS = new Set('a an the how do does did i we you can to of in on is it my what where why with for'.split(' '))

/** The words that are looked for: of a question those that say what is asked for; where it has no others, all. */
function wordsOf(asked) {
  const all = asked
    .toLowerCase()
    .split(/[\s?]+/)
    .filter(Boolean)
  const telling = all.filter((word) => !FILLERS.has(word))
  return telling.length === 0 ? all : telling
}

function scoreOf({ url, title, heading, text }, words) {
  let score = 0
  for (const word of words) {
    const inHeading = heading.toLowerCase().includes(word)
    const inTitle = title.toLowerCase().includes(word)
    const inText = text.toLowerCase().includes(word)
    if (!inHeading && !inTitle && !inText) return 0
    score += (inHeading ? 6 : 0) + (inTitle ? 4 : 0) + (inText ? 1 : 0)
    // Whoever writes the name of a page or a section means it.
    if (title.toLowerCase().split(/\W+/).includes(word)) score += 2
  }
  return FOR_BUILDERS.test(url) ? score / 8 : score
}

function around(text, word) {
  const at = Math.max(0, text.toLowerCase().indexOf(word))
  const from = Math.max(0, at - AROUND)
  return `${from > 0 ? '…' : ''}${text.slice(from, at + AROUND)}${at + AROUND < text.length ? '…' : ''}`
}

function rowOf(section, words) {
  const link = document.createElement('a')
  link.href = up + section.url
  const name = document.createElement('strong')
  name.textContent = section.heading === '' ? section.title : `${section.title} › ${section.heading}`
  const says = document.createElement('span')
  says.textContent = around(section.text, words[0])
  link.append(name, says)
  return link
}

async function show() {
  const asked = field.value
  const words = wordsOf(asked)
  const isAsked = words.length > 0
  const rows = isAsked ? await sectionsOnce() : []
  if (field.value !== asked) return
  const best = rows
    .map((section) => ({ section, score: scoreOf(section, words) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, MOST)
  found.hidden = !isAsked
  article.hidden = isAsked
  const told = document.createElement('p')
  told.textContent = best.length === 0 ? `Nothing has ${words.join(' and ')}.` : ''
  found.replaceChildren(...(best.length === 0 ? [told] : best.map(({ section }) => rowOf(section, words))))
}

field.addEventListener('input', () => void show())
// A section of this very page: the text is shown again.
found.addEventListener('click', ({ target }) => {
  if (!target.closest('a')) return
  field.value = ''
  void show()
})
document.querySelector('#search-form').addEventListener('submit', (event) => {
  event.preventDefault()
  found.querySelector('a')?.click()
})
addEventListener('keydown', (event) => {
  const isWriting = event.target.closest('input, textarea') !== null
  if (event.key === '/' && !isWriting) {
    event.preventDefault()
    field.focus()
  } else if (event.key === 'Escape' && event.target === field) {
    field.value = ''
    void show()
  }
})
