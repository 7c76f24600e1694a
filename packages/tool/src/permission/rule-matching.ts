import type { ToolAnnotation, ToolAnnotations, ToolDefinition } from '../definition.ts'
import { type JudgedCommand, type JudgedLine, judgeShellLine } from '../shell/judge-line.ts'
import { SHELL_LIMITS } from '../shell/shell-cursor.ts'
import { exactPattern, isExactly } from './exact-pattern.ts'
import { globMatches } from './glob.ts'
import { movesAway } from './guards.ts'
import type { PermissionFacts } from './permission-facts.ts'
import type { PermissionRule } from './permission-rule.ts'
import { hasHarmlessFrame, parseShellPattern, patternAllows, patternMeets } from './shell-pattern.ts'
import { type Subject, textsIn } from './subjects.ts'
import { urlMatches } from './url-pattern.ts'
import { pathMatches, placePath } from './workspace-path.ts'

/**
 * The allow rules that together cover a call: one without a pattern, one for exactly this call, or as many as
 * its commands, paths and addresses need. Null when something of it is left. [PERM1, PERM2]
 */
export function rulesThatAllow(
  rules: readonly PermissionRule[],
  facts: PermissionFacts,
): readonly PermissionRule[] | null {
  const applicable = rules.filter((rule) => rule.effect === 'allow' && isForAllowed(rule, facts))
  const whole = applicable.find((rule) => rule.pattern === undefined || isExactly(rule, facts.call))
  if (whole) return [whole]
  const patterned = applicable.filter(({ pattern }) => pattern !== undefined && !pattern.startsWith('='))
  if (patterned.length === 0 || !facts.isComplete || facts.subjects.length === 0 || !facts.definition) return null
  const used = new Set<PermissionRule>()
  let lineIndex = 0
  for (const subject of facts.subjects) {
    const line = subject.role === 'shell-line' ? facts.lines[lineIndex++] : undefined
    const covers = line ? rulesForLine(patterned, line, facts) : rulesForText(patterned, subject, facts)
    if (!covers) return null
    for (const rule of covers) used.add(rule)
  }
  return [...used]
}

function rulesForText(
  rules: readonly PermissionRule[],
  subject: Subject,
  facts: PermissionFacts,
): readonly PermissionRule[] | null {
  const rule = rules.find(({ pattern }) => textMatches(pattern ?? '', subject, { facts, letters: 'exact' }))
  return rule ? [rule] : null
}

function rulesForLine(
  rules: readonly PermissionRule[],
  line: JudgedLine,
  facts: PermissionFacts,
): readonly PermissionRule[] | null {
  if (line.type === 'unreadable') return null
  const patterns = rules.flatMap((rule) => {
    const words = parseShellPattern(rule.pattern ?? '')
    return words ? [{ rule, words }] : []
  })
  const used: PermissionRule[] = []
  for (const command of line.commands) {
    if (command.role !== 'program') {
      if (!isHarmlessBeside(command, facts)) return null
      continue
    }
    const found = patterns.find(({ words }) => patternAllows(words, command))
    if (!found) return null
    used.push(found.rule)
  }
  return used.length > 0 ? used : null
}

/** Whether what stands beside the programs of a line (wrappers, `cd`, variables) changes nothing of them. */
function isHarmlessBeside(command: JudgedCommand, { workspaceRoot }: PermissionFacts): boolean {
  return command.unclear === null && !command.raises && hasHarmlessFrame(command) && !movesAway(command, workspaceRoot)
}

/** The first rule of an effect that denies or asks and meets the call; what is not known counts as met. [PERM1] */
export function ruleThatMeets(rules: readonly PermissionRule[], facts: PermissionFacts): PermissionRule | undefined {
  return rules.find((rule) => isForMet(rule, facts) && patternIsMet(rule.pattern, facts))
}

function patternIsMet(pattern: string | undefined, facts: PermissionFacts): boolean {
  if (pattern === undefined) return true
  if (pattern.startsWith('=')) return pattern === exactPattern(facts.call)
  const { definition, subjects, lines, isComplete, call, mode, exactRule } = facts
  const words = parseShellPattern(pattern)
  const codeIsUnknown = (mode === 'bypass' || mode === 'sandboxed') && !exactRule
  const meetsLine = (line: JudgedLine) =>
    line.type === 'readable' &&
    words !== null &&
    line.commands.some((command) => patternMeets(words, command, { codeIsUnknown }))
  if (lines.some(meetsLine)) return true
  if (
    subjects.some(
      (subject) => subject.role !== 'shell-line' && textMatches(pattern, subject, { facts, letters: 'any-case' }),
    )
  ) {
    return true
  }
  if (definition && isComplete) return false
  // Nobody has said what the arguments are: each text in them is read in every way.
  return textsIn(call.input).some(
    (text) =>
      meetsLine(judgeShellLine(text, SHELL_LIMITS)) ||
      (['path', 'url', 'text'] as const).some((role) =>
        textMatches(pattern, { role, text }, { facts, letters: 'any-case' }),
      ),
  )
}

/** Whether a rule is about the tool of a call, whatever its input. */
export function isAboutTool(rule: PermissionRule, asked: Pick<PermissionFacts, 'call' | 'definition'>): boolean {
  return rule.effect === 'allow' ? isForAllowed(rule, asked) : isForMet(rule, asked)
}

interface TextMatching {
  readonly facts: PermissionFacts
  readonly letters: 'exact' | 'any-case'
}

function textMatches(pattern: string, { role, text }: Subject, { facts, letters }: TextMatching): boolean {
  switch (role) {
    case 'shell-line':
      return false
    case 'path': {
      const place = placePath(text, facts.workspaceRoot)
      if (place.type === 'unclear' && letters === 'any-case') return true
      return pathMatches(pattern, place, letters)
    }
    case 'url':
      return (
        urlMatches(pattern, text) || (letters === 'any-case' && globMatches(pattern.toLowerCase(), text.toLowerCase()))
      )
    case 'text':
      return globMatches(pattern, text)
  }
}

/** Whether tool, category and annotations of an allow rule fit: what is not declared fits no rule that names it. */
function isForAllowed(
  { tool, category, annotations }: PermissionRule,
  { call, definition }: Pick<PermissionFacts, 'call' | 'definition'>,
): boolean {
  if (tool !== call.name && !(tool === '*' && definition)) return false
  const categories = category === undefined ? null : [category].flat()
  if (categories) {
    const own = definition?.category
    const claimed = definition?.claims?.category
    if (own === undefined || !categories.includes(own) || (claimed !== undefined && !categories.includes(claimed)))
      return false
  }
  return annotationsOf(annotations).every(([name, wanted]) => {
    const claimed = definition?.claims?.annotations?.[name]
    return declared(definition, name) === wanted && (claimed === undefined || claimed === wanted)
  })
}

/** Whether they fit for a rule that denies or asks: what is not declared counts as what the rule names. */
function isForMet(
  { tool, category, annotations }: PermissionRule,
  { call, definition }: Pick<PermissionFacts, 'call' | 'definition'>,
): boolean {
  if (tool !== call.name && tool !== '*') return false
  const categories = category === undefined ? null : [category].flat()
  if (categories) {
    const own = definition?.category
    const claimed = definition?.claims?.category
    if (own !== undefined && !categories.includes(own) && (claimed === undefined || !categories.includes(claimed)))
      return false
  }
  return annotationsOf(annotations).every(([name, wanted]) => {
    const own = declared(definition, name)
    return own === undefined || own === wanted || definition?.claims?.annotations?.[name] === wanted
  })
}

/** What a definition says; a tool that is said to change nothing is said to destroy nothing. */
function declared(definition: ToolDefinition | undefined, name: ToolAnnotation): boolean | undefined {
  const own: ToolAnnotations = definition?.annotations ?? {}
  if (own[name] === undefined && own.readOnly === true && name === 'destructive') return false
  return own[name]
}

const ANNOTATIONS: readonly ToolAnnotation[] = ['readOnly', 'destructive', 'idempotent', 'openWorld']

function annotationsOf(annotations: PermissionRule['annotations']): [ToolAnnotation, boolean][] {
  return ANNOTATIONS.flatMap((name): [ToolAnnotation, boolean][] => {
    const wanted = annotations?.[name]
    return wanted === undefined ? [] : [[name, wanted]]
  })
}
