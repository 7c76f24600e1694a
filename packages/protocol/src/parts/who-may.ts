import * as z from 'zod'

/** What a person is allowed beside their own things. An admin reads no conversation of others. [SEC1] */
export const Role = z.enum(['user', 'admin'])
export type Role = z.infer<typeof Role>

/**
 * What an API key may be used for. `read`: look at things. `chat`: write, stop, edit and send. `tools`: answer
 * permission requests and choose tools. `admin`: providers and settings, and to look at users, where its user is an admin. None contains another.
 */
export const Scope = z.enum(['read', 'chat', 'tools', 'admin'])
export type Scope = z.infer<typeof Scope>

/** What a route asks of whoever calls it; `session` is a person who is signed in, which no key is. */
export type NeededScope = Scope | 'session'
