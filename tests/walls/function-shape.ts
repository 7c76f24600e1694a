import { parseSync } from 'oxc-parser'
import { isShipped, isSuite, type SourceFile } from './source-file.ts'

/** A function with a name, as the walls measure it. */
export interface MeasuredFunction {
  /** The file and the name. */
  readonly place: string
  readonly lineCount: number
  readonly parameterCount: number
}

/** The named functions of what is shipped, but for suites that tests run, with their length and what they take. */
export function measuredFunctions(files: readonly SourceFile[]): MeasuredFunction[] {
  return files
    .filter(({ path }) => isShipped(path) && !isSuite(path) && /\.tsx?$/.test(path))
    .flatMap((file) => {
      const { program, errors } = parseSync(file.path, file.text)
      if (errors.length > 0) throw new Error(`${file.path} does not parse: ${errors[0]?.message}`)
      const found: MeasuredFunction[] = []
      collect(program, file, found)
      return found
    })
}

const MOST_LINES = 120
const MOST_PARAMETERS = 3

/** [ARCH26] Functions of more than 120 lines that no list names, and listed ones that are shorter now or gone. */
export function longFunctionOffences(functions: readonly MeasuredFunction[], listed: readonly string[]): string[] {
  const long = functions.filter(({ lineCount }) => lineCount > MOST_LINES)
  return listOffences(
    long.map(({ place, lineCount }) => ({ place, what: `${lineCount} lines, ${MOST_LINES} at most` })),
    listed,
  )
}

/** [ARCH26] Functions of more than three parameters that no list names, and listed ones that take fewer now or are gone. */
export function manyParametersOffences(functions: readonly MeasuredFunction[], listed: readonly string[]): string[] {
  const many = functions.filter(({ parameterCount }) => parameterCount > MOST_PARAMETERS)
  return listOffences(
    many.map(({ place, parameterCount }) => ({
      place,
      what: `${parameterCount} parameters, ${MOST_PARAMETERS} at most`,
    })),
    listed,
  )
}

const MOST_FILES = 30

/** [ARCH26] Folders with more than thirty source files in them and no rooms, that no list names, and listed ones with fewer. */
export function crowdedFolderOffences(files: readonly SourceFile[], listed: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const { path } of files.filter((file) => isShipped(file.path))) {
    const folder = path.slice(0, path.lastIndexOf('/'))
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  const crowded = [...counts].filter(([, count]) => count > MOST_FILES)
  return listOffences(
    crowded.map(([place, count]) => ({ place, what: `${count} files, ${MOST_FILES} at most: it needs rooms` })),
    listed,
  )
}

/** A list that may only get shorter: what is over a limit and not in it, and what is in it for nothing. */
function listOffences(
  over: readonly { readonly place: string; readonly what: string }[],
  listed: readonly string[],
): string[] {
  return [
    ...over.filter(({ place }) => !listed.includes(place)).map(({ place, what }) => `${place}: ${what}`),
    ...listed
      .filter((place) => !over.some((one) => one.place === place))
      .map((place) => `${place}: keeps to the limit now or is gone: take it out of the list`),
  ]
}

function collect(node: unknown, file: SourceFile, found: MeasuredFunction[]): void {
  if (typeof node !== 'object' || node === null) return
  if (Array.isArray(node)) {
    for (const one of node) collect(one, file, found)
    return
  }
  if ('type' in node && node.type === 'FunctionDeclaration' && 'params' in node && Array.isArray(node.params)) {
    const name = nameOf(node)
    if (name !== null && 'start' in node && 'end' in node) {
      const text = file.text.slice(Number(node.start), Number(node.end))
      const place = `${file.path} ${name}`
      found.push({ place, lineCount: text.split('\n').length, parameterCount: node.params.length })
    }
  }
  for (const value of Object.values(node)) collect(value, file, found)
}

function nameOf(node: object): string | null {
  if (!('id' in node) || typeof node.id !== 'object' || node.id === null) return null
  return 'name' in node.id && typeof node.id.name === 'string' ? node.id.name : null
}
