import type { SourceHint } from '@holdfast/protocol'
import { type Fiber, getDisplayName, getFiberFromHostInstance } from 'bippy'
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
    return { framework: 'react', file, line, ...(columnNumber === undefined ? {} : { column: columnNumber }), ...named }
  }
  const made: unknown = Reflect.get(fiber, '_debugStack')
  const stack = made instanceof Error ? made.stack : typeof made === 'string' ? made : undefined
  return { framework: 'react', ...(stack === undefined ? {} : { stack: stack.slice(0, STACK_CHARS) }), ...named }
}

function fiberOf(element: Element): Fiber | null {
  const key = Object.keys(element).find((name) => /^__react(Fiber|InternalInstance)\$/u.test(name))
  if (key === undefined) return null
  return getFiberFromHostInstance(element) ?? Reflect.get(element, key) ?? null
}

function ownerName(fiber: Fiber): string | null {
  const owner: unknown = Reflect.get(fiber, '_debugOwner')
  if (typeof owner === 'object' && owner !== null) {
    const name = 'name' in owner && typeof owner.name === 'string' ? owner.name : null
    const ofType = 'type' in owner ? getDisplayName(owner.type as never) : null
    if (ofType ?? name) return (ofType ?? name ?? '').slice(0, 100)
  }
  for (let at = fiber.return; at; at = at.return) {
    const name = typeof at.type === 'function' ? getDisplayName(at.type) : null
    if (name) return name.slice(0, 100)
  }
  return null
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
