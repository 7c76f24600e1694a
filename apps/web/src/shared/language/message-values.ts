/**
 * What a message asks for, read from its text by the compiler. Braces take turns: one in text opens an argument, one in
 * an argument opens the text of a case.
 */
export type ValuesOf<Text extends string> = { readonly [Argument in ArgumentsIn<Text> as Argument[0]]: Argument[1] }

/** The names of the tags in a message. */
export type TagsOf<Text extends string> = Text extends `${string}</${infer Tag}>${infer Rest}`
  ? Tag | TagsOf<Rest>
  : never

/** Pairs of name and type. */
type ArgumentsIn<Text extends string> = InText<Text, never>

type InText<
  Text extends string,
  Found extends readonly [string, unknown],
> = Text extends `${infer Before}{${infer Rest}`
  ? Before extends `${string}}${string}`
    ? AfterClosing<Text, Found, 'text'>
    : InArgument<Rest, Found | ArgumentAt<Rest>>
  : Text extends `${string}}${infer Rest}`
    ? InArgument<Rest, Found>
    : Found

type InArgument<
  Text extends string,
  Found extends readonly [string, unknown],
> = Text extends `${infer Before}{${infer Rest}`
  ? Before extends `${string}}${string}`
    ? AfterClosing<Text, Found, 'argument'>
    : InText<Rest, Found>
  : Text extends `${string}}${infer Rest}`
    ? InText<Rest, Found>
    : Found

/** Goes on after the first closing brace; what was inside ends, what was around it goes on. */
type AfterClosing<
  Text extends string,
  Found extends readonly [string, unknown],
  Place extends 'text' | 'argument',
> = Text extends `${string}}${infer Rest}`
  ? Place extends 'text'
    ? InArgument<Rest, Found>
    : InText<Rest, Found>
  : Found

/** The argument whose name the text begins with. */
type ArgumentAt<Text extends string> = Text extends `${infer Name}}${string}`
  ? Name extends `${infer Counted}, ${infer Kind}`
    ? [Counted, ValueFor<Kind>]
    : [Name, string]
  : never

type ValueFor<Kind extends string> = Kind extends `number${string}` | `plural${string}` | `selectordinal${string}`
  ? number
  : Kind extends `date${string}` | `time${string}`
    ? number | Date
    : string
