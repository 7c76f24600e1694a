import type { ServerOffers, UnsentPart } from '@holdfast/client'
import { say } from '../../shared/language/say.ts'
import { KIND_WORDS } from './along-words.ts'
import type { NamedThing } from './named-thing.ts'
import { variablesOf } from './uri-template.ts'

/** Something that can be chosen in the composer: of a server, or a command of the page. */
export interface Offer {
  readonly id: string
  /** Empty for a command. */
  readonly server: string
  readonly name: string
  readonly description: string
  readonly choice:
    | { readonly type: 'command'; readonly text: string }
    /** Words that name something, in the place of what was written to find it, and what goes along for them. */
    | { readonly type: 'named'; readonly text: string; readonly part: UnsentPart }
    | { readonly type: 'prompt'; readonly name: string; readonly values: readonly AskedOf[] }
    | { readonly type: 'resource'; readonly uri: string }
    | { readonly type: 'template'; readonly uriTemplate: string; readonly values: readonly AskedOf[] }
}

/** One that asks for values before it can be used. */
export interface AskingOffer extends Offer {
  readonly choice: Extract<Offer['choice'], { readonly values: readonly AskedOf[] }>
}

/** A value that has to be written before something can be used. */
export interface AskedOf {
  readonly name: string
  readonly description: string
  readonly required: boolean
}

/** As many are shown; what is meant is found by writing more of it. */
const MOST_SHOWN = 30

/** A command of the page, as it is written. */
export interface WrittenCommand {
  readonly text: string
  readonly about: string
  /** Whether more may stand behind it. */
  readonly takesWords: boolean
  /** Does it, with what stands behind it; null for what is sent as it is written. */
  readonly run: ((words: string) => void) | null
}

/** As many of one kind are shown beside those of others. */
const MOST_OF_KIND = 8

/** Things whose name fits what is written behind the sign; files were looked for by their server already. */
export function namedOffers(things: readonly NamedThing[], words: string): readonly Offer[] {
  return Object.keys(KIND_WORDS).flatMap((kind) => {
    const ofKind = things
      .filter((thing) => thing.kind === kind)
      .map(
        (thing): Offer => ({
          id: `${thing.kind}:${thing.id}`,
          server: say(KIND_WORDS[thing.kind]),
          name: thing.name,
          description: thing.about,
          choice: {
            type: 'named',
            text: /\s/.test(thing.name) ? `@"${thing.name}"` : `@${thing.name}`,
            part: partOf(thing),
          },
        }),
      )
    return (kind === 'file' ? ofKind : fittingName(ofKind, words)).slice(0, MOST_OF_KIND)
  })
}

function partOf({ kind, id }: NamedThing): UnsentPart {
  return kind === 'element' ? { type: 'canvas', elementId: id } : { type: 'mention', kind, id }
}

function fittingName(offers: readonly Offer[], words: string): readonly Offer[] {
  const wanted = words.toLowerCase()
  const found = offers.filter(({ name }) => name.toLowerCase().includes(wanted))
  const begins = ({ name }: Offer): boolean => name.toLowerCase().startsWith(wanted)
  return [...found.filter(begins), ...found.filter((offer) => !begins(offer))]
}

/** What a text says to the page: a command of it with what stands behind, a command that there is not, or nothing. */
export function writtenCommand(
  text: string,
  commands: readonly WrittenCommand[],
):
  | { readonly type: 'known'; readonly command: WrittenCommand; readonly words: string }
  | { readonly type: 'unknown'; readonly name: string }
  | null {
  const line = text.trim()
  const known = commands
    .filter((command) => line === command.text || (command.takesWords && line.startsWith(`${command.text} `)))
    .toSorted((one, other) => other.text.length - one.text.length)[0]
  if (known) return { type: 'known', command: known, words: line.slice(known.text.length).trim() }
  const [name] = /^\/[a-z][a-z-]*(?=\s|$)/i.exec(line) ?? []
  return name === undefined ? null : { type: 'unknown', name }
}

/** The commands of the page that fit what is written behind the slash. */
export function commandOffers(commands: readonly WrittenCommand[], words: string): readonly Offer[] {
  const all = commands.map(
    ({ text, about, takesWords }): Offer => ({
      id: `command:${text}`,
      server: '',
      name: text.slice(1),
      description: about,
      choice: { type: 'command', text: takesWords ? `${text} ` : text },
    }),
  )
  return words === '' ? all : fitting(all, words)
}

/** The prompts that fit what is written, those that begin with it first. */
export function promptOffers(servers: readonly ServerOffers[], words: string): readonly Offer[] {
  const all = servers.flatMap(({ server, prompts }) =>
    prompts.map(
      (prompt): Offer => ({
        id: `prompt:${server}:${prompt.name}`,
        server,
        name: prompt.name,
        description: prompt.description,
        choice: { type: 'prompt', name: prompt.name, values: prompt.arguments },
      }),
    ),
  )
  return fitting(all, words)
}

/** The resources and families of resources that fit what is written. */
export function resourceOffers(servers: readonly ServerOffers[], words: string): readonly Offer[] {
  const all = servers.flatMap(({ server, resources, templates }) => [
    ...resources.map(
      ({ uri, name, description }): Offer => ({
        id: `resource:${server}:${uri}`,
        server,
        name,
        description: description || uri,
        choice: { type: 'resource', uri },
      }),
    ),
    ...templates.flatMap(({ uriTemplate, name, description }): Offer[] => {
      const values = variablesOf(uriTemplate)?.map((value) => ({ name: value, description: '', required: true }))
      if (!values) return []
      return [
        {
          id: `template:${server}:${uriTemplate}`,
          server,
          name,
          description: description || uriTemplate,
          choice: { type: 'template', uriTemplate, values },
        },
      ]
    }),
  ])
  return fitting(all, words)
}

function fitting(offers: readonly Offer[], words: string): readonly Offer[] {
  const wanted = words.toLowerCase()
  const begins = ({ name }: Offer): boolean => name.toLowerCase().startsWith(wanted)
  const holds = ({ name, server, description }: Offer): boolean =>
    `${server} ${name} ${description}`.toLowerCase().includes(wanted)
  const found = offers.filter(holds)
  return [...found.filter(begins), ...found.filter((offer) => !begins(offer))].slice(0, MOST_SHOWN)
}
