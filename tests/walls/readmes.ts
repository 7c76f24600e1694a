const FILES_TO_READ = 3

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
