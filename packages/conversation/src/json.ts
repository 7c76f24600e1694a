import * as z from 'zod'

/** Any value that JSON can carry without loss. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }

/** Checks that a value is JSON, to any depth. */
export const Json: z.ZodType<Json> = z.json()
