import * as z from 'zod'

/** What a tool does, in one word, for permissions. [PERM1] */
export const ToolCategory = z.enum(['read', 'edit', 'execute', 'network', 'other'], {
  error: 'is read, edit, execute, network or other',
})
export type ToolCategory = z.infer<typeof ToolCategory>

const NO_CATEGORY = { error: 'is read, edit, execute, network or other, or a list of some of them' }

/** The categories that a permission rule is for: one, or several. */
export const RuleCategory = z.union([ToolCategory, z.array(ToolCategory).min(1, NO_CATEGORY).readonly()], NO_CATEGORY)
export type RuleCategory = z.infer<typeof RuleCategory>

const annotation = z.boolean({ error: 'is true or false' }).exactOptional()

/** What a permission rule asks of a tool's annotations: each one that is named must be so. */
export const RuleAnnotations = ofFields({
  readOnly: annotation,
  destructive: annotation,
  idempotent: annotation,
  openWorld: annotation,
}).refine((annotations) => Object.keys(annotations).length > 0, {
  error: 'names at least one of readOnly, destructive, idempotent and openWorld',
})
export type RuleAnnotations = z.infer<typeof RuleAnnotations>

/** What a permission rule says, under the names that it has wherever one is written. [PERM10] */
export const ruleFields = {
  effect: z.enum(['allow', 'ask', 'deny'], { error: 'is allow, ask or deny' }).describe('What becomes of the calls.'),
  tool: z.string().min(1).max(200).describe('The exact name of a tool, or "*" for every one.'),
  pattern: z
    .string()
    .min(1)
    .max(5_000)
    .describe('Words of a command, a path, an address, or a text with "*"; without it, every call.')
    .exactOptional(),
  category: RuleCategory.describe(
    'Only tools of this category: read, edit, execute, network or other; or a list of them.',
  ).exactOptional(),
  annotations: RuleAnnotations.describe(
    'Only tools of which all of this is said, such as {"destructive": false}.',
  ).exactOptional(),
}

/** A rule as a person writes it. */
export const WrittenPermissionRule = ofFields(ruleFields)
export type WrittenPermissionRule = z.infer<typeof WrittenPermissionRule>

/**
 * An object of these fields and no others. A rule in which a field is misspelt would hold for all that the field was to
 * leave out, so that it is refused in words that name both. [PERM10]
 */
export function ofFields<Shape extends z.core.$ZodLooseShape>(shape: Shape): z.ZodObject<Shape, z.core.$strict> {
  const names = Object.keys(shape).join(', ')
  return z.strictObject(shape, {
    error: ({ code, keys }) =>
      code === 'unrecognized_keys'
        ? `has no field ${keys.map((key) => `"${key}"`).join(', ')}; there are ${names}`
        : undefined,
  })
}
