import { ConversationSettings } from '@holdfast/conversation'
import * as z from 'zod'

const Count = z.int().positive().nullable()
const Price = z.object({
  usdPerMillion: z.number().nonnegative(),
  /** Prices that hold instead when the prompt has more tokens; rising. */
  tiers: z.array(z.object({ aboveTokens: z.int(), usdPerMillion: z.number().nonnegative() })),
})

/** One model as a client is told of it; null where it is not known. */
export const ModelRow = z.object({
  /** Names it among all models: `provider/model`. */
  id: z.string(),
  name: z.string(),
  contextWindowTokens: Count,
  /** Present, and true, where the window was learnt from a refusal, in the place of what is told of the model. [WIN8] */
  isWindowLearnt: z.literal(true).exactOptional(),
  maxOutputTokens: Count,
  price: z
    .object({
      input: Price.nullable(),
      output: Price.nullable(),
      cacheRead: Price.nullable(),
      cacheCreation5m: Price.nullable(),
      cacheCreation1h: Price.nullable(),
      /** Where the price is from: a catalog and its date, `override`, `local`, `demo`. */
      reference: z.string(),
    })
    .nullable(),
  capabilities: z.object({
    tools: z.boolean().nullable(),
    images: z.boolean().nullable(),
    thinking: z.boolean().nullable(),
    promptCache: z.boolean().nullable(),
  }),
})
export type ModelRow = z.infer<typeof ModelRow>

/** One provider with its models. */
export const ProviderRow = z.object({
  id: z.string(),
  name: z.string(),
  /** `asking` until its own list has come; `failed` when it was refused or nobody answered; its models stay usable. */
  state: z.enum(['ready', 'asking', 'failed']),
  /** What is wrong, for a person. */
  problem: z.string().nullable(),
  /** When it was asked and that came of it, in milliseconds since the Unix epoch: it may answer by now. Absent where nothing is wrong. */
  problemAt: z.int().nonnegative().exactOptional(),
  models: z.array(ModelRow),
})
export type ProviderRow = z.infer<typeof ProviderRow>

/** All providers and models, and what holds in a conversation that chooses nothing. */
export const ModelsAnswer = z.object({
  /** The model that answers where none is chosen. */
  defaultModelId: z.string().nullable(),
  /** What tools may do without asking where a conversation does not say it: what the operator says. [PERM1, WIN11] */
  permissionMode: ConversationSettings.shape.permissionMode.unwrap(),
  /** How long a provider may be silent before its answer has failed: before the first event, and in the answer. [RUN6] */
  silence: z.object({ firstEventMs: z.int().positive(), betweenEventsMs: z.int().positive() }),
  providers: z.array(ProviderRow),
  /** What the demo model can show, by the names behind `/demo`, the most useful first; absent where there is none. */
  demo: z
    .array(
      z.object({
        name: z.string(),
        shows: z.string(),
        /** Whether more may stand behind the name. */
        takesWords: z.boolean(),
      }),
    )
    .exactOptional(),
})
export type ModelsAnswer = z.infer<typeof ModelsAnswer>
