import { RE2JS, RE2JSSyntaxException } from 're2js'

/** Compares paths with a glob, in time proportional to the path, whatever the glob is. */
export interface GlobPattern {
  matches(path: string): boolean
}

/**
 * Reads a glob: `*` and `?` within a name, `**` for any number of folders, `[a-z]`, `{one,other}`. A glob without
 * a slash is compared with the last name.
 *
 * @throws RE2JSSyntaxException when it is no glob, such as `[z-a]`.
 */
export function readGlob(glob: string, letters: 'exact' | 'any-case'): GlobPattern {
  const whole = glob.includes('/') ? glob.replace(/^\.?\//, '') : `**/${glob}`
  const pattern = RE2JS.compile(`^${expressionOf(whole)}$`, letters === 'exact' ? 0 : RE2JS.CASE_INSENSITIVE)
  return { matches: (path) => pattern.test(path) }
}

/** Whether an error says that a pattern cannot be read. */
export function isPatternError(error: unknown): error is Error {
  return error instanceof RE2JSSyntaxException
}

/** A regular expression for a glob, for whole paths without a leading slash. */
function expressionOf(glob: string): string {
  let expression = ''
  let braces = 0
  for (let at = 0; at < glob.length; at++) {
    const rest = glob.slice(at)
    const set = /^\[(!|\^)?(\]?[^\]/]*)\]/.exec(rest)
    if (rest.startsWith('**/') && (at === 0 || glob[at - 1] === '/')) {
      expression += '(?:[^/]+/)*'
      at += 2
    } else if (rest === '**' && (at === 0 || glob[at - 1] === '/')) {
      expression += '.+'
      at += 1
    } else if (glob[at] === '*') expression += '[^/]*'
    else if (glob[at] === '?') expression += '[^/]'
    else if (set) {
      expression += `[${set[1] ? '^/' : ''}${(set[2] ?? '').replace(/[\\[\]^&~]/g, '\\$&')}]`
      at += set[0].length - 1
    } else if (glob[at] === '{' && rest.includes('}')) {
      expression += '(?:'
      braces++
    } else if (glob[at] === '}' && braces > 0) {
      expression += ')'
      braces--
    } else if (glob[at] === ',' && braces > 0) expression += '|'
    else if (glob[at] === '\\' && at + 1 < glob.length) expression += RE2JS.quote(glob[++at] ?? '')
    else expression += RE2JS.quote(glob[at] ?? '')
  }
  return expression + ')'.repeat(braces)
}
