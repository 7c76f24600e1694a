const FILES_TO_READ = 3

/** Where a README goes on for those who have the repository; what stands before it is given away with the package. */
const REST = '\n## In the repository\n'
/** The example, which other packages it needs, and all that it prints. */
const EXAMPLE =
  /\n## Example\n\n(?:With (.*) beside it:\n\n)?```ts\n([\s\S]*?)\n```\n\nIt prints:\n\n```text\n([\s\S]*?\n)```\n/

/** A program as a README has it. */
export interface ReadmeExample {
  /** What is to be installed beside the package. */
  readonly beside: readonly string[]
  readonly code: string
  readonly printed: string
}

/** The example of a README; null where it has none. */
export function readmeExample(text: string): ReadmeExample | null {
  const [, names = '', code, printed] = EXAMPLE.exec(text) ?? []
  if (code === undefined || printed === undefined) return null
  return { beside: [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name), code, printed }
}

/** Files and links that a text names and that are not there. */
export function deadNames(text: string, isThere: (path: string) => boolean): string[] {
  const prose = text.replace(/```[\s\S]*?```/g, '')
  const links = [...prose.matchAll(/\]\((?![a-z]+:|#)([^)#\s]+)[^)]*\)/g)].map(([, path = '']) => path)
  const files = [...prose.matchAll(/(?<![\w/@.-])(?:\.{1,2}\/|src\/|docs\/|packages\/|apps\/|tests\/)[\w/.-]*\w/g)].map(
    ([path]) => path,
  )
  return [...new Set([...links, ...files])].filter((path) => !isThere(path))
}

/** [PACK11] What is wrong with what a package's README is given away as. */
export function givenReadmeOffences(folder: string, text: string): string[] {
  const [given = '', rest] = text.split(REST)
  return [
    ...(rest === undefined ? [`${folder}/README.md: has no part "In the repository"`] : []),
    ...(readmeExample(given) === null ? [`${folder}/README.md: has no example with what it prints`] : []),
    ...deadNames(given, () => false).map((path) => `${folder}/README.md: is given away and names ${path}`),
  ]
}

/** [ARCH16] What is wrong with a package's README: other than three files to read, or files that do not exist. */
export function readmeOffences(folder: string, text: string, isThere: (path: string) => boolean): string[] {
  const listed = [...text.matchAll(/^\d\. (.*)$/gm)].map(([, line = '']) => line)
  const named = listed.flatMap((line) => [...line.matchAll(/\bsrc\/[\w/.-]*\w/g)].map(([path]) => path))
  return [
    ...(listed.length === FILES_TO_READ
      ? []
      : [`${folder}/README.md: names ${listed.length} things to read, not three`]),
    ...named
      .filter((path) => !isThere(`${folder}/${path}`))
      .map((path) => `${folder}/README.md: names ${path}, which does not exist`),
  ]
}
