import type { SourceHint } from '@holdfast/protocol'
import { isShadow } from './trees.ts'

const STACK_CHARS = 4_000

/** What the framework of the page says of where an element is made; null where nothing does. */
export function hintOf(element: Element): SourceHint | null {
  let isNear = false
  for (let at: Element | null = element; at; at = aboveOf(at)) {
    const hint = reactHint(at) ?? svelteHint(at) ?? vueHint(at)
    if (hint) return isNear && hint.framework !== 'vue' ? { ...hint, isNear: true } : hint
    isNear = true
  }
  return null
}

function aboveOf(element: Element): Element | null {
  if (element.parentElement) return element.parentElement
  const root = element.getRootNode()
  return isShadow(root) ? root.host : null
}

function reactHint(element: Element): SourceHint | null {
  const fiber = fiberOf(element)
  if (fiber === null) return null
  const component = ownerName(fiber)
  const named = component === null ? {} : { component }
  const source: unknown = Reflect.get(fiber, '_debugSource')
  if (isPlace(source)) {
    const { fileName: file, lineNumber: line, columnNumber } = source
    // Up to version 18; it counts columns from 1.
    const column = columnNumber === undefined ? {} : { column: Math.max(0, columnNumber - 1) }
    return { framework: 'react', file, line, ...column, ...named }
  }
  const made: unknown = Reflect.get(fiber, '_debugStack')
  const stack = made instanceof Error ? made.stack : typeof made === 'string' ? made : undefined
  return { framework: 'react', ...(stack === undefined ? {} : { stack: stack.slice(0, STACK_CHARS) }), ...named }
}

/** What React keeps of an element: versions 17 to 19 hang it on the element itself. */
function fiberOf(element: Element): object | null {
  const key = Object.keys(element).find((name) => /^__react(Fiber|InternalInstance)\$/u.test(name))
  return key === undefined ? null : memberOf(element, key)
}

/** The component in whose code the element is written; a server component has a name and no type. */
function ownerName(fiber: object): string | null {
  const owner = memberOf(fiber, '_debugOwner')
  const named = owner && (nameOf(Reflect.get(owner, 'type')) ?? textOf(Reflect.get(owner, 'name')))
  if (named) return named.slice(0, 100)
  for (let at = memberOf(fiber, 'return'); at; at = memberOf(at, 'return')) {
    const name = nameOf(Reflect.get(at, 'type'))
    if (name !== null) return name.slice(0, 100)
  }
  return null
}

/** What a component is called, through `memo` and `forwardRef`. */
function nameOf(type: unknown): string | null {
  let at = type
  for (let depth = 0; depth < 5; depth += 1) {
    if (typeof at !== 'function' && (typeof at !== 'object' || at === null)) return null
    const name = textOf(Reflect.get(at, 'displayName')) ?? textOf(Reflect.get(at, 'name'))
    if (name !== null) return name
    at = Reflect.get(at, 'type') ?? Reflect.get(at, 'render')
  }
  return null
}

function memberOf(holder: object, name: string): object | null {
  const member: unknown = Reflect.get(holder, name)
  return typeof member === 'object' ? member : null
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

interface DebugSource {
  readonly fileName: string
  readonly lineNumber: number
  readonly columnNumber?: number
}

function isPlace(source: unknown): source is DebugSource {
  return (
    typeof source === 'object' &&
    source !== null &&
    'fileName' in source &&
    typeof source.fileName === 'string' &&
    'lineNumber' in source &&
    typeof source.lineNumber === 'number'
  )
}

/** Svelte 5 writes where each element is made, from line 1 and column 0. */
function svelteHint(element: Element): SourceHint | null {
  const meta: unknown = Reflect.get(element, '__svelte_meta')
  if (typeof meta !== 'object' || meta === null || !('loc' in meta)) return null
  const { loc } = meta
  if (typeof loc !== 'object' || loc === null || !('file' in loc) || typeof loc.file !== 'string') return null
  const line = 'line' in loc && typeof loc.line === 'number' ? loc.line : undefined
  const column = 'column' in loc && typeof loc.column === 'number' ? loc.column : undefined
  return {
    framework: 'svelte',
    file: loc.file,
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
  }
}

/** Vue knows the file of the component. */
function vueHint(element: Element): SourceHint | null {
  const instance: unknown = Reflect.get(element, '__vueParentComponent')
  for (let at: unknown = instance; typeof at === 'object' && at !== null; at = Reflect.get(at, 'parent')) {
    const type: unknown = Reflect.get(at, 'type')
    if (typeof type !== 'object' || type === null) continue
    const file: unknown = Reflect.get(type, '__file')
    if (typeof file !== 'string') continue
    const name: unknown = Reflect.get(type, 'name') ?? Reflect.get(type, '__name')
    return { framework: 'vue', file, ...(typeof name === 'string' ? { component: name.slice(0, 100) } : {}) }
  }
  return null
}
