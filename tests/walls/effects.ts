import { builtinModules } from 'node:module'
import { maskCode } from './code-mask.ts'
import { importsOf, isRelative, targetOf } from './imports.ts'
import { isShipped, isSuite, type SourceFile } from './source-file.ts'

/** Where code computes and does nothing else: same input, same output, on any machine. */
const PURE = /^packages\/(?:conversation|protocol|context|provider)\/src\//

/** The models behind the port, and the suite that plays their servers; the rest of `provider` is its pure root. */
const MODELS =
  /^packages\/provider\/src\/(?:anthropic|openai-chat|openai-responses|google|bedrock|ai-sdk|demo|http|tap|testing)\//

const ENGINE = /^packages\/engine\/src\//

/** The machine's own clock, ids and chance, for programs that embed the engine and have no others. */
const SYSTEM = /^packages\/engine\/src\/system\//

/** The one place that reads the environment. */
const CONFIG = 'apps/holdfast/src/config.ts'

/** A name that is used by itself, not as a property of something else. */
function free(names: string): RegExp {
  return new RegExp(`(?<![.\\w$])(?:${names})`, 'g')
}

const CLOCK = free('Date\\.now|new Date\\(\\s*\\)|new Date(?!\\w|\\s*\\()|(?<!new )Date\\(|performance\\b')
const TIMERS = free(
  '(?:set|clear)(?:Timeout|Interval|Immediate)\\b|queueMicrotask\\b|AbortSignal\\.timeout\\b|requestAnimationFrame\\b',
)
const CHANCE = free('Math\\.random|crypto\\b')
const WORLD = free(
  'process\\b|console\\b|fetch\\(|globalThis\\b|WebSocket\\b|EventSource\\b|localStorage\\b|navigator\\b',
)
/** What these give depends on the machine's language and time zone. */
const LOCALE = /\.toLocale\w*\(|\.localeCompare\(/g

const ENVIRONMENT = /(?<![.\w$])process\s*(?:\.\s*env\b|\[)|\{[^{}]*\benv\b[^{}]*\}\s*=\s*process\b/g

/** [ARCH4] Effects in code that has none; `testing` suites may use Node and the test runner. */
export function purityOffences(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path }) => PURE.test(path) && !MODELS.test(path))
    .flatMap((file) => [
      ...uses(file, [CLOCK, TIMERS, CHANCE, WORLD, LOCALE]),
      ...importsOf(file)
        .filter(({ specifier }) => !isSuite(file.path) && (isBuiltin(specifier) || specifier === 'vitest'))
        .map(({ specifier }) => `${file.path}: imports ${specifier}`),
      ...importsOf(file)
        .filter((found) => isRelative(found.specifier) && MODELS.test(targetOf(found)))
        .map(({ specifier }) => `${file.path}: imports ${specifier}, which has effects`),
    ])
}

/** [ARCH5] Time, timers, chance and Node in the engine, which has them from its ports. */
export function engineOffences(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path }) => ENGINE.test(path) && !SYSTEM.test(path) && !isSuite(path))
    .flatMap((file) => [
      ...uses(file, [CLOCK, TIMERS, CHANCE]),
      ...importsOf(file)
        .filter(({ specifier }) => isBuiltin(specifier))
        .map(({ specifier }) => `${file.path}: imports ${specifier}`),
    ])
}

/** [ARCH6] Reads of the environment outside the one file that is for it. */
export function environmentOffences(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path }) => isShipped(path) && !isSuite(path) && path !== CONFIG)
    .flatMap((file) => [
      ...uses(file, [ENVIRONMENT]),
      ...importsOf(file)
        .filter(({ specifier }) => specifier === 'node:process' || specifier === 'process')
        .map(
          ({ specifier }) =>
            `${file.path}: imports ${specifier}; use the global, and the environment only in ${CONFIG}`,
        ),
    ])
}

function uses(file: SourceFile, patterns: readonly RegExp[]): string[] {
  const mask = maskCode(file.text)
  return patterns.flatMap((pattern) =>
    [...mask.matchAll(pattern)].map((match) => {
      const line = mask.slice(0, match.index).split('\n').length
      return `${file.path}:${line}: uses ${match[0].replace(/\s+/g, ' ').trim()}`
    }),
  )
}

function isBuiltin(specifier: string): boolean {
  return specifier.startsWith('node:') || builtinModules.includes(specifier)
}
