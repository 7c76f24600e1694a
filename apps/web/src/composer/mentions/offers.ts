import type { ServerOffers } from '@holdfast/client'
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
}

/** The commands of the page that fit what is written behind the slash. */
export function commandOffers(commands: readonly WrittenCommand[], words: string): readonly Offer[] {
  const all = commands.map(
    ({ text, about }): Offer => ({
      id: `command:${text}`,
      server: '',
      name: text.slice(1),
      description: about,
      choice: { type: 'command', text },
    }),
  )
  return fitting(all, words)
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
