import * as z from 'zod'
import { Json } from '../json.ts'

const name = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$/, 'Use letters, digits, - and _; at most 40')

/** One thing to tick off. */
export const CheckItem = z.object({
  id: name,
  text: z.string().trim().min(1).max(500),
  checked: z.boolean().default(false),
  /** Who ticked it last, where it was a person. */
  byPerson: z.boolean().default(false),
})
export type CheckItem = z.infer<typeof CheckItem>

/** One question of a form. */
export const FormField = z.object({
  name,
  label: z.string().trim().min(1).max(200),
  kind: z.enum(['text', 'long-text', 'number', 'choice', 'toggle']),
  choices: z.array(z.string().trim().min(1).max(100)).min(1).max(100).exactOptional(),
  required: z.boolean().default(false),
})
export type FormField = z.infer<typeof FormField>

/** One answer that a person may choose. */
export const Choice = z.object({
  id: name,
  label: z.string().trim().min(1).max(60),
  /** `primary` is the one that is meant, `destructive` one that cannot be taken back. */
  style: z.enum(['plain', 'primary', 'destructive']).default('plain'),
})
export type Choice = z.infer<typeof Choice>

const given = {
  userId: z.string().min(1),
  /** Milliseconds since the Unix epoch. */
  at: z.int().nonnegative(),
}

/** What a person wrote into a form. */
export const FormAnswer = z.object({ values: z.record(z.string(), Json), ...given })
export type FormAnswer = z.infer<typeof FormAnswer>

/** What a person chose. */
export const ConfirmationAnswer = z.object({ choiceId: z.string(), ...given })
export type ConfirmationAnswer = z.infer<typeof ConfirmationAnswer>
