import type { Json } from '@holdfast/conversation'
import { isList } from '../canonical-json.ts'
import type { ArgumentRole, ToolDefinition } from '../definition.ts'

/** One text of a call that a pattern is compared with. */
export interface Subject {
  readonly role: 'shell-line' | 'path' | 'url' | 'text'
  readonly text: string
}

/** What the rules see of a call's arguments. */
export interface Subjects {
  readonly subjects: readonly Subject[]
  /**
   * Whether every argument has a role and the value has its form. Otherwise something of the call is not
   * seen, and no allow rule with a pattern matches.
   */
  readonly isComplete: boolean
}

/** Roles of arguments by their usual names, where a definition does not declare them. */
const CONVENTIONAL_ROLES: Readonly<Record<string, ArgumentRole>> = {
  command: 'shell-line',
  path: 'path',
  paths: 'path',
  file_path: 'path',
  url: 'url',
  content: 'plain',
  description: 'plain',
  old_text: 'plain',
  new_text: 'plain',
}

/** The role of one argument, or undefined when nobody has said it. */
function roleOf(argument: string, definition: ToolDefinition): ArgumentRole | undefined {
  const roles = definition.argumentRoles ?? CONVENTIONAL_ROLES
  return Object.hasOwn(roles, argument) ? roles[argument] : undefined
}

/** The roles that arguments of a tool may have. */
export function rolesOf({ argumentRoles, parameters }: ToolDefinition): readonly ArgumentRole[] {
  if (argumentRoles) return Object.values(argumentRoles)
  const properties = isObject(parameters) ? parameters['properties'] : undefined
  const names = isObject(properties) ? Object.keys(properties) : []
  return names.flatMap((name) => (Object.hasOwn(CONVENTIONAL_ROLES, name) ? (CONVENTIONAL_ROLES[name] ?? []) : []))
}

function isObject(value: Json | undefined): value is Readonly<Record<string, Json>> {
  return value !== null && typeof value === 'object' && !isList(value)
}

/** The texts of a call that patterns are compared with. */
export function subjectsOf(input: Json, definition: ToolDefinition): Subjects {
  if (input === null || typeof input !== 'object' || isList(input)) return { subjects: [], isComplete: false }
  const subjects: Subject[] = []
  let isComplete = true
  for (const [argument, value] of Object.entries(input)) {
    const role = roleOf(argument, definition)
    if (role === 'plain' || ((typeof value !== 'object' || value === null) && typeof value !== 'string')) continue
    const texts = textsOf(value)
    if (role === undefined || texts === null) isComplete = false
    else for (const text of texts) subjects.push({ role, text })
  }
  return { subjects, isComplete }
}

function textsOf(value: Json): readonly string[] | null {
  if (typeof value === 'string') return [value]
  if (value === null || typeof value !== 'object' || !isList(value)) return null
  const texts = value.filter((item) => typeof item === 'string')
  return texts.length === value.length ? texts : null
}

/** Every text in an input, however deep: what a rule that denies sees of a tool that nobody has described. */
export function textsIn(input: Json): readonly string[] {
  const texts: string[] = []
  const open: Json[] = [input]
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value === 'string') texts.push(value)
    else if (value !== null && typeof value === 'object') open.push(...(isList(value) ? value : Object.values(value)))
  }
  return texts
}
