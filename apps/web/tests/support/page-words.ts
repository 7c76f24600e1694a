import { nameOf, nodesOf, type PlacedNode, partOf, type SyntaxNode } from './syntax-tree.ts'

/** A file of the page. */
export interface PageFile {
  /** From `src`, with `/`. */
  readonly path: string
  readonly text: string
}

/** Attributes whose text a person reads or hears. */
const READ_OUT =
  /^(?:aria-(?:label|description|valuetext|roledescription|placeholder)|title|placeholder|alt|label|why|hint)$/

/** Attributes whose text nobody reads. */
const UNREAD =
  /^(?:className|data-.*|id|href|key|style|d|viewBox|transform|points|type|role|autoComplete|htmlFor|rel|target|aria-(?:labelledby|describedby|controls)|preserveAspectRatio)$/

/** Names that are the same in every language, and what a program reads. */
const SAME_EVERYWHERE = new Set([
  ...[
    'Anthropic',
    'OpenAI',
    'Google',
    'OpenRouter',
    'Ollama',
    'LM Studio',
    'Edge',
    'Opera',
    'Markdown',
    'Holdfast',
    'holdfast',
  ],
  ...['holdfast export', 'holdfast mcp add', 'ollama pull llama3.2:3b'],
  ...['AltGraph', 'CapsLock', 'Dead', 'Process', 'Mod', 'Ctrl', 'Enter', 'Escape', 'Tab', 'Home', 'End', 'Backspace'],
  ...['Delete', 'Control', 'Shift', 'Alt', 'Meta', 'NotSupportedError', 'EncodingError', 'AbortError', 'px', '…'],
  // Languages are called by their own names.
  ...['English', 'Deutsch', '日本語', 'العربية'],
  ...['VoiceError', 'SpeechRecognition'],
  // Models and a voice of OpenAI, and its address.
  ...['tts-1', 'whisper-1', 'alloy', 'https://api.openai.com/v1'],
  // A rule of cron.
  '{} {} * * MON-FRI',
  '30 2 * * MON-FRI',
  // A license is called by its identifier.
  'Apache-2.0',
  // What is sent to a model is never translated.
  'Continue.',
  ...['noreferrer noopener', 'noopener noreferrer', 'noopener noreferrer nofollow'],
])

/** Words that a person would see or hear and that are in no catalogue, each with its line. [UI8] */
export function wordsOutside(file: PageFile): string[] {
  return nodesOf(file).flatMap((placed) => {
    const words = visibleWords(placed)
    return words === null || SAME_EVERYWHERE.has(words)
      ? []
      : [offence(file, placed.node, `“${words}” is in no catalogue`)]
  })
}

/** Places where a message is looked up before the language is known, or glued to other words. [UI8] */
export function wrongSayings(file: PageFile): string[] {
  return nodesOf(file).flatMap(({ node, around }) => {
    if (node.type !== 'CallExpression' || nameOf(partOf(node, 'callee')) !== 'say') return []
    if (!around.some(({ type }) => /Function/.test(type)))
      return [offence(file, node, 'a message is said before the language is known; keep its key instead')]
    const glue = around.findLast(({ type }) => type !== 'ConditionalExpression' && type !== 'LogicalExpression')
    const isGlued = glue?.type === 'TemplateLiteral' || (glue?.type === 'BinaryExpression' && glue['operator'] === '+')
    return isGlued ? [offence(file, node, 'a message is put together from pieces; make it one message')] : []
  })
}

/** The strings in a file that could be keys. */
export function keysIn(file: PageFile): string[] {
  return nodesOf(file).flatMap(({ node }) => {
    const key = node.type === 'Literal' ? node['value'] : null
    return typeof key === 'string' && /^[a-z-]+\.[a-z0-9-]+$/.test(key) ? [key] : []
  })
}

/** Keys that `say` or `Said` are given, and that no catalogue has. [UI8] */
export function unknownKeys(file: PageFile, known: ReadonlySet<string>): string[] {
  return nodesOf(file).flatMap(({ node, around }) => {
    const key = node.type === 'Literal' ? node['value'] : null
    if (typeof key !== 'string' || known.has(key) || !isKeyPlace(around)) return []
    return [offence(file, node, `no catalogue has the key “${key}”`)]
  })
}

/** Fields for words that do not take the direction of what is written in them. [UI5] */
export function fieldsWithoutDirection(file: PageFile): string[] {
  return nodesOf(file).flatMap(({ node }) => {
    const name = node.type === 'JSXOpeningElement' ? nameOf(node) : ''
    if (name !== 'input' && name !== 'textarea') return []
    const attributes = attributesOf(node)
    const type = attributes.get('type') ?? 'text'
    const takesWords = name === 'textarea' || type === 'text' || type === 'search' || type === 'email'
    return takesWords && !attributes.has('dir') ? [offence(file, node, `a field for words has no dir="auto"`)] : []
  })
}

/** Declarations that name a side of the screen, where the language decides it. [UI5] */
export function physicalSides({ path, text }: PageFile): string[] {
  const bare = text.replaceAll(/\/\*[\s\S]*?\*\//g, (comment) => comment.replaceAll(/[^\n]/g, ' '))
  return [...bare.matchAll(PHYSICAL)].map(
    ({ index, 1: words = '' }) => `${path}:${lineAt(bare, index)}: ${words.trim()} names a side of the screen`,
  )
}

const PHYSICAL =
  /(?<=[;{\s])((?:(?:margin|padding|border|scroll-margin|scroll-padding)-(?:left|right)[\w-]*|border-(?:top|bottom)-(?:left|right)-radius|left|right)\s*:|(?:text-align|float|clear)\s*:\s*(?:left|right)\b)/g

function visibleWords({ node, around }: PlacedNode): string | null {
  if (node.type === 'JSXText')
    return hasLetter(node['value']) ? String(node['value']).trim().replaceAll(/\s+/g, ' ') : null
  if (isUnread(around)) return null
  const parent = around.at(-1)
  if (node.type === 'Literal' && typeof node['value'] === 'string') {
    if (isNamePlace(node, parent)) return null
    const words = node['value']
    const isRead = isReadOut(around) || isDrawn(node, around)
    return isProse(words) || (isRead && hasLetter(words)) ? words : null
  }
  if (node.type !== 'TemplateLiteral') return null
  const pieces = piecesOf(node)
  const isRead = isReadOut(around) || isDrawn(node, around)
  const isShown =
    (pieces.some(hasLetter) && pieces.some((piece) => PROSE_PIECE.test(piece))) || (isRead && pieces.some(hasLetter))
  return isShown ? pieces.join('{}') : null
}

/** A word beside a space, or a sign that only sentences have. */
const PROSE_PIECE = /(?:^|\s)\p{L}{2,}(?:\s|$)|\p{L}{2,}\s|\s\p{L}{2,}|[·…≈“”]/u

function piecesOf(template: SyntaxNode): string[] {
  const quasis = template['quasis']
  if (!Array.isArray(quasis)) return []
  return quasis.map((quasi: { readonly value: { readonly cooked: string } }) => quasi.value.cooked)
}

/** Commands, selectors and chords are not sentences. */
const FOR_THE_PROGRAM = /^\/|[\w"]\]|^[a-z]*[.#][a-z]|^(?:Mod|Shift|Alt)\+|^(?:Arrow|Page)(?:Up|Down|Left|Right)$/

function isProse(words: string): boolean {
  if (FOR_THE_PROGRAM.test(words)) return false
  return /^\p{Lu}\p{Ll}/u.test(words) || /[\p{L}\d,.]\s+\p{L}/u.test(words) || /…/.test(words)
}

function hasLetter(words: unknown): boolean {
  return typeof words === 'string' && /\p{L}/u.test(words) && !words.startsWith('http://')
}

/** Where a string is a name for the program: of a module, a type, a property, a case, a thing compared. */
function isNamePlace(node: SyntaxNode, parent: SyntaxNode | undefined): boolean {
  if (!parent) return true
  if (
    /^(?:Import|Export|TSLiteralType|MemberExpression|SwitchCase|BinaryExpression|ExpressionStatement)/.test(
      parent.type,
    )
  )
    return true
  return parent.type === 'Property' && parent['key'] === node
}

function isUnread(around: readonly SyntaxNode[]): boolean {
  return around.some(({ type, ...node }) => {
    if (type === 'JSXAttribute') return UNREAD.test(nameOf({ type, ...node }))
    if (type === 'NewExpression')
      return /(?:Error|Exception|RegExp|Set|Map|Event|Blob)$/.test(nameOf({ type, ...node }))
    return (
      type === 'CallExpression' &&
      /^(?:querySelector(?:All)?|closest|matches|matchMedia|pressButton)$/.test(nameOf({ type, ...node }))
    )
  })
}

function isReadOut(around: readonly SyntaxNode[]): boolean {
  const attribute = around.findLast(({ type }) => type === 'JSXAttribute')
  const isInside = around.at(-1) === attribute || around.at(-2) === attribute
  return attribute !== undefined && isInside && READ_OUT.test(nameOf(attribute))
}

/** Whether a string is drawn as it is: in an element, or one side of a choice there. */
function isDrawn(node: SyntaxNode, around: readonly SyntaxNode[]): boolean {
  for (const [index, outer] of [...around.entries()].toReversed()) {
    if (outer.type === 'JSXExpressionContainer') return around[index - 1]?.type !== 'JSXAttribute'
    if (!/^(?:ConditionalExpression|LogicalExpression|TemplateLiteral|ParenthesizedExpression)$/.test(outer.type))
      return false
    const test = partOf(outer, 'test')
    if (test && test.start <= node.start && node.end <= test.end) return false
  }
  return false
}

function isKeyPlace(around: readonly SyntaxNode[]): boolean {
  const parent = around.findLast(({ type }) => type !== 'ConditionalExpression')
  if (parent?.type === 'CallExpression')
    return nameOf(partOf(parent, 'callee')) === 'say' && isFirstArgument(parent, around)
  return parent?.type === 'JSXAttribute' && nameOf(parent) === 'of' && nameOf(around.at(-2)) === 'Said'
}

function isFirstArgument(call: SyntaxNode, around: readonly SyntaxNode[]): boolean {
  const [first] = Array.isArray(call['arguments']) ? call['arguments'] : []
  return around.at(-1) === call || around.includes(first)
}

function attributesOf(element: SyntaxNode): Map<string, string> {
  const attributes = element['attributes']
  if (!Array.isArray(attributes)) return new Map()
  return new Map(
    attributes.map((attribute: SyntaxNode) => {
      const value = partOf(attribute, 'value')?.['value']
      return [nameOf(attribute), typeof value === 'string' ? value : ''] as const
    }),
  )
}

function offence({ path, text }: PageFile, { start }: SyntaxNode, words: string): string {
  return `${path}:${lineAt(text, start)}: ${words}`
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length
}
