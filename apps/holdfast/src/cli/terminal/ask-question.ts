import {
  type AnswerContent,
  answerProblems,
  asksForSecret,
  type EntryOf,
  type QuestionField,
} from '@holdfast/conversation'

/** What a person answered a question of a running call. */
export interface GivenAnswer {
  readonly action: 'accept' | 'decline' | 'cancel'
  readonly content?: AnswerContent
}

/** How a terminal asks. */
export interface Terminal {
  tell(line: string): void
  /** Null at the end of the input. */
  ask(prompt: string): Promise<string | null>
}

/** Asks a question of a running call field by field, as often as it takes. The end of the input closes it. [TOOL11] */
export async function askQuestion(
  { source, message, wish }: Pick<EntryOf<'question-asked'>, 'source' | 'message' | 'wish'>,
  terminal: Terminal,
): Promise<GivenAnswer> {
  terminal.tell(`${source} asks you: ${message}`)
  switch (wish.type) {
    case 'page': {
      terminal.tell(`Open this page yourself, if you trust it: ${wish.url}`)
      return decide(terminal, `Tell ${source} that you opened it? [y/N, c to close] `, null)
    }
    case 'form': {
      if (wish.fields.length > 0) terminal.tell(warningOf(source, wish.fields))
      const content: Record<string, AnswerContent[string]> = {}
      for (const field of wish.fields) {
        const value = await askField(field, terminal)
        if (value === null) return { action: 'cancel' }
        if (value.given !== undefined) content[field.name] = value.given
      }
      return decide(terminal, `Send this to ${source}? [y/N, c to close] `, content)
    }
  }
}

function warningOf(source: string, fields: readonly QuestionField[]): string {
  const where = `${source} gets what you write, and it stays in this conversation.`
  if (!asksForSecret(fields)) return `${where} Write no passwords or keys.`
  return `This seems to ask for a secret. ${where} No server may ask for passwords or keys this way.`
}

async function decide(terminal: Terminal, prompt: string, content: AnswerContent | null): Promise<GivenAnswer> {
  const said = (await terminal.ask(prompt))?.trim().toLowerCase()
  if (said === undefined || said === 'c') return { action: 'cancel' }
  if (said !== 'y' && said !== 'yes') return { action: 'decline' }
  return content === null ? { action: 'accept' } : { action: 'accept', content }
}

/** The value of one field, absent for one that was left empty; null at the end of the input. */
async function askField(
  field: QuestionField,
  terminal: Terminal,
): Promise<{ readonly given: AnswerContent[string] | undefined } | null> {
  if ('options' in field)
    for (const [index, { title }] of field.options.entries()) terminal.tell(`  ${index + 1}) ${title}`)
  if (field.description !== undefined) terminal.tell(`  ${field.description}`)
  for (;;) {
    const said = await terminal.ask(`${promptOf(field)}: `)
    if (said === null) return null
    const given = said.trim() === '' ? field.default : givenValue(field, said.trim())
    const [problem] = answerProblems([field], given === undefined ? {} : { [field.name]: given })
    if (!problem) return { given }
    terminal.tell(`  ${problem.message}.`)
  }
}

function promptOf(field: QuestionField): string {
  const hint = HINTS[field.type]
  const marks = [
    ...(hint === '' ? [] : [hint]),
    ...(field.default === undefined ? [] : [`empty: ${JSON.stringify(field.default)}`]),
    ...(field.required || field.default !== undefined ? [] : ['optional']),
  ]
  return marks.length === 0 ? field.title : `${field.title} (${marks.join(', ')})`
}

const HINTS: Readonly<Record<QuestionField['type'], string>> = {
  text: '',
  number: 'a number',
  boolean: 'y or n',
  choice: 'its number',
  choices: 'their numbers, such as 1 3',
}

/** What was said as a value of the field; what is none stays text, and is refused as such. */
function givenValue(field: QuestionField, said: string): AnswerContent[string] {
  switch (field.type) {
    case 'text':
      return said
    case 'number':
      return Number(said)
    case 'boolean':
      return /^(?:y|yes|true)$/i.test(said) ? true : /^(?:n|no|false)$/i.test(said) ? false : said
    case 'choice':
      return field.options[Number(said) - 1]?.value ?? said
    case 'choices':
      return said.split(/[\s,]+/).map((one) => field.options[Number(one) - 1]?.value ?? one)
  }
}
