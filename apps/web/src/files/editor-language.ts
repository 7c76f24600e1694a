import type { Extension } from '@codemirror/state'

type Load = () => Promise<Extension>

const SCRIPT: Load = async () =>
  (await import('@codemirror/lang-javascript')).javascript({ jsx: true, typescript: true })
const STYLE: Load = async () => (await import('@codemirror/lang-css')).css()
const PAGE: Load = async () => (await import('@codemirror/lang-html')).html()
const DATA: Load = async () => (await import('@codemirror/lang-json')).json()
const PROSE: Load = async () => (await import('@codemirror/lang-markdown')).markdown()
const PYTHON: Load = async () => (await import('@codemirror/lang-python')).python()

const BY_ENDING: Readonly<Record<string, Load>> = {
  ts: SCRIPT,
  tsx: SCRIPT,
  mts: SCRIPT,
  cts: SCRIPT,
  js: SCRIPT,
  jsx: SCRIPT,
  mjs: SCRIPT,
  cjs: SCRIPT,
  css: STYLE,
  html: PAGE,
  htm: PAGE,
  vue: PAGE,
  svg: PAGE,
  xml: PAGE,
  json: DATA,
  jsonc: DATA,
  md: PROSE,
  markdown: PROSE,
  py: PYTHON,
}

/** How the text of a file is coloured, by the ending of its name; null for one that is shown plain. */
export async function languageOf(path: string): Promise<Extension | null> {
  const ending = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? ''
  const load = Object.hasOwn(BY_ENDING, ending) ? BY_ENDING[ending] : undefined
  return load === undefined ? null : load()
}
