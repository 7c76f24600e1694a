/** What every dialect of JavaScript defines and refers to. */
const SHARED = `
(function_declaration name: (identifier) @definition)
(generator_function_declaration name: (identifier) @definition)
(method_definition name: [(property_identifier) (private_property_identifier)] @definition)
(program (lexical_declaration (variable_declarator name: (identifier) @definition)))
(program (variable_declaration (variable_declarator name: (identifier) @definition)))
(export_statement (lexical_declaration (variable_declarator name: (identifier) @definition)))
(variable_declarator name: (identifier) @definition value: [(arrow_function) (function_expression)])
(pair key: (property_identifier) @definition value: [(arrow_function) (function_expression)])
(assignment_expression
  left: (member_expression property: (property_identifier) @definition)
  right: [(arrow_function) (function_expression) (class)])

(call_expression function: (identifier) @reference)
(call_expression function: (member_expression property: (property_identifier) @member))
(new_expression constructor: (identifier) @reference)
(new_expression constructor: (member_expression property: (property_identifier) @member))
(import_specifier name: (identifier) @imported)
(import_clause (identifier) @imported)
(variable_declarator
  name: (object_pattern [
    (shorthand_property_identifier_pattern) @imported
    (pair_pattern key: (property_identifier) @imported)])
  value: [(call_expression function: (identifier) @callee) (await_expression (call_expression function: (import) @callee))]
  (#any-of? @callee "require" "import"))
(export_statement (export_clause (export_specifier name: (identifier) @imported)) source: (_))
(import_statement source: (string (string_fragment) @import))
(export_statement source: (string (string_fragment) @import))
(call_expression
  function: [(identifier) (import)] @callee
  arguments: (arguments . (string (string_fragment) @import))
  (#any-of? @callee "require" "import"))
`

const MARKUP = `
(jsx_opening_element name: (identifier) @reference)
(jsx_self_closing_element name: (identifier) @reference)
`

const TYPES = `
(function_signature name: (identifier) @definition)
(class_declaration name: (type_identifier) @definition)
(abstract_class_declaration name: (type_identifier) @definition)
(interface_declaration name: (type_identifier) @definition)
(type_alias_declaration name: (type_identifier) @definition)
(enum_declaration name: (identifier) @definition)
(internal_module name: (identifier) @definition)
(method_signature name: (property_identifier) @definition)
(abstract_method_signature name: (property_identifier) @definition)
(public_field_definition name: (property_identifier) @definition)
(type_identifier) @reference
`

export const JAVASCRIPT = `${SHARED}${MARKUP}
(class_declaration name: (identifier) @definition)
(class_heritage (identifier) @reference)
(field_definition property: (property_identifier) @definition)
`

export const TYPESCRIPT = `${SHARED}${TYPES}
(class_heritage (extends_clause value: (identifier) @reference))
`

export const TSX = `${TYPESCRIPT}${MARKUP}`
