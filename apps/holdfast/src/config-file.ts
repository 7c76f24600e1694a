import { readFileSync } from 'node:fs'
import { inputWords } from '@holdfast/protocol'
import { findNodeAtLocation, type ParseError, parse, parseTree, printParseErrorCode } from 'jsonc-parser'
import type * as z from 'zod'
import { CliError } from './cli-error.ts'
import { ConfigFile } from './config-file-schema.ts'

/**
 * Reads the configuration file: JSON, with comments and trailing commas.
 *
 * @throws {CliError} when it cannot be read, is no JSON, or says something that does not exist; with file, place and remedy.
 */
export function readConfigFile(path: string): ConfigFile {
  return parseConfigFile(readText(path), path)
}

/**
 * Reads what the configuration file at a path says.
 *
 * @throws {CliError} when it is no JSON, or says something that does not exist; with file, place and remedy.
 */
export function parseConfigFile(text: string, path: string): ConfigFile {
  const errors: ParseError[] = []
  const value: unknown = parse(text, errors, { allowTrailingComma: true })
  const [first] = errors
  if (first) {
    const what = printParseErrorCode(first.error)
    throw refused(
      `${path}:${lineOf(text, first.offset)} is not JSON (${what}). Correct the file, or unset HOLDFAST_CONFIG.`,
    )
  }
  const read = ConfigFile.safeParse(value)
  if (read.success) return read.data
  const problems = read.error.issues.flatMap((issue) =>
    problemsOf(issue).map((problem) => withLine(text, issue, problem)),
  )
  throw refused(
    `${path} cannot be used:\n${problems.map((problem) => `  ${problem}`).join('\n')}\nCorrect the file; config.schema.json of the program has all that it may say.`,
  )
}

/** The line on which the file at a path sets a setting; 1 where it does not. */
export function lineOfSetting(path: string, key: string): number {
  return lineOfPlace(readText(path), ['settings', key]) ?? 1
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    throw refused(
      `The file of HOLDFAST_CONFIG, ${path}, cannot be read (${code}). Give the path of a file that exists, or unset it.`,
    )
  }
}

/** Values are not repeated: keys may be among them. [SEC4] */
function problemsOf(issue: z.core.$ZodIssue): string[] {
  const place = issue.path.length === 0 ? 'the file' : issue.path.map(String).join('.')
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => `${place}: there is no setting "${key}"; remove it or correct its name`)
  if (issue.code === 'invalid_key') return [`${place}: ${issue.issues[0]?.message ?? 'is no name'}`]
  if (issue.code === 'invalid_union' && 'discriminator' in issue)
    return [`${place}: choose anthropic, openai-responses, openai-chat, google or bedrock`]
  if (issue.code === 'invalid_union' && issue.path[0] === 'mcpServers')
    return [`${place}: give command (and args, env, cwd), or url (and headers), and nothing else`]
  return [inputWords({ issues: [issue] }, 'the file')]
}

/** A problem of a setting has the line on which it stands. */
function withLine(text: string, { path }: z.core.$ZodIssue, problem: string): string {
  const line = path[0] === 'settings' ? lineOfPlace(text, path.map(String)) : null
  return line === null ? problem : `line ${line}: ${problem}`
}

function lineOfPlace(text: string, place: readonly string[]): number | null {
  const tree = parseTree(text, [], { allowTrailingComma: true })
  const node = tree && findNodeAtLocation(tree, [...place])
  return node ? lineOf(text, node.offset) : null
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}

function refused(message: string): CliError {
  return new CliError('E_CONFIG', 2, message)
}
