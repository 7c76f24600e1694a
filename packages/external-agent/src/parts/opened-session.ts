import * as z from 'zod'

/** One thing that a session can be set to. */
export interface SessionChoice {
  readonly id: string
  readonly name: string
  /** In the agent's words; null where it says none. */
  readonly description: string | null
}

/** How a session is set to another model: by a setting with this id, or by a request of its own. */
export type ModelWay = { readonly type: 'option'; readonly configId: string } | { readonly type: 'request' }

/** A session of the agent. */
export interface OpenedSession {
  readonly sessionId: string
  readonly modes: readonly SessionChoice[]
  readonly currentModeId: string | null
  /** Whether modes are a choice among settings, by its id, and no modes of the protocol. */
  readonly modeOption: string | null
  readonly models: readonly SessionChoice[]
  readonly currentModelId: string | null
  /** Null where its model cannot be set. */
  readonly modelWay: ModelWay | null
}

const described = { name: z.string().nullish(), description: z.string().nullish() }

/** Choices of an option may stand in groups. */
const values = z.array(
  z.looseObject({
    value: z.string().nullish(),
    ...described,
    options: z.array(z.looseObject({ value: z.string(), ...described })).nullish(),
  }),
)

const session = z.looseObject({
  sessionId: z.string(),
  modes: z
    .looseObject({
      currentModeId: z.string(),
      availableModes: z.array(z.looseObject({ id: z.string(), ...described })),
    })
    .nullish(),
  /** Not in the schema of version 1, and told by agents all the same. */
  models: z
    .looseObject({
      currentModelId: z.string().nullish(),
      availableModels: z.array(z.looseObject({ modelId: z.string(), ...described })),
    })
    .nullish(),
  configOptions: z
    .array(
      z.looseObject({
        id: z.string(),
        category: z.string().nullish(),
        currentValue: z.unknown().optional(),
        options: values.nullish(),
      }),
    )
    .nullish(),
})

type Read = z.infer<typeof session>
type Option = NonNullable<Read['configOptions']>[number]

/** Reads what an agent answers to a new session. @throws {z.ZodError} for what is not of the protocol. */
export function readSession(answer: unknown): OpenedSession {
  const read = session.parse(answer)
  return { sessionId: read.sessionId, ...modesOf(read), ...modelsOf(read) }
}

function modesOf({ modes, configOptions }: Read): Pick<OpenedSession, 'modes' | 'currentModeId' | 'modeOption'> {
  if (modes) {
    const list = modes.availableModes.map(({ id, ...words }) => choiceOf(id, words))
    return { modes: list, currentModeId: modes.currentModeId, modeOption: null }
  }
  const option = optionOf(configOptions, 'mode')
  return { modes: choicesOf(option), currentModeId: currentOf(option), modeOption: option?.id ?? null }
}

/** Where both are there the setting counts: the models of their own are to be left behind. */
function modelsOf({ models, configOptions }: Read): Pick<OpenedSession, 'models' | 'currentModelId' | 'modelWay'> {
  const option = optionOf(configOptions, 'model')
  if (option !== undefined || !models) {
    const modelWay = option === undefined ? null : ({ type: 'option', configId: option.id } as const)
    return { models: choicesOf(option), currentModelId: currentOf(option), modelWay }
  }
  const list = models.availableModels.map(({ modelId, ...words }) => choiceOf(modelId, words))
  return { models: list, currentModelId: models.currentModelId ?? null, modelWay: { type: 'request' } }
}

function optionOf(options: Read['configOptions'], category: string): Option | undefined {
  return options?.find((option) => option.category === category)
}

function currentOf(option: Option | undefined): string | null {
  return typeof option?.currentValue === 'string' ? option.currentValue : null
}

function choicesOf(option: Option | undefined): readonly SessionChoice[] {
  return (option?.options ?? []).flatMap(({ value, options, ...words }) => [
    ...(value == null ? [] : [choiceOf(value, words)]),
    ...(options ?? []).map((one) => choiceOf(one.value, one)),
  ])
}

function choiceOf(
  id: string,
  {
    name,
    description,
  }: { readonly name?: string | null | undefined; readonly description?: string | null | undefined },
): SessionChoice {
  return { id, name: name ?? id, description: description ?? null }
}
