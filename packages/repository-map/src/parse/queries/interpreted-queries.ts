export const PYTHON = `
(function_definition name: (identifier) @definition)
(class_definition name: (identifier) @definition)
(module (expression_statement (assignment left: (identifier) @definition)))
(type_alias_statement left: (type (identifier) @definition))

(call function: (identifier) @reference)
(call function: (attribute attribute: (identifier) @member))
(import_from_statement name: (dotted_name (identifier) @imported))
(import_from_statement name: (aliased_import name: (dotted_name (identifier) @imported)))
(class_definition superclasses: (argument_list (identifier) @reference))
(class_definition superclasses: (argument_list (attribute attribute: (identifier) @member)))
(type (identifier) @reference)
(decorator (identifier) @reference)
`

export const RUBY = `
(method name: (_) @definition)
(singleton_method name: (_) @definition)
(class name: (constant) @definition)
(class name: (scope_resolution name: (constant) @definition))
(module name: (constant) @definition)
(module name: (scope_resolution name: (constant) @definition))
(assignment left: (constant) @definition)
(alias name: (identifier) @definition)

(call receiver: (_) method: (identifier) @member)
(call !receiver method: (identifier) @reference)
(constant) @reference
`

export const PHP = `
(function_definition name: (name) @definition)
(class_declaration name: (name) @definition)
(interface_declaration name: (name) @definition)
(trait_declaration name: (name) @definition)
(enum_declaration name: (name) @definition)
(method_declaration name: (name) @definition)
(const_declaration (const_element (name) @definition))

(function_call_expression function: (name) @reference)
(function_call_expression function: (qualified_name (name) @reference))
(member_call_expression name: (name) @member)
(nullsafe_member_call_expression name: (name) @member)
(scoped_call_expression name: (name) @member)
(scoped_call_expression scope: (name) @reference)
(object_creation_expression (name) @reference)
(object_creation_expression (qualified_name (name) @reference))
(named_type (name) @reference)
(base_clause (name) @reference)
(class_interface_clause (name) @reference)
(use_declaration (name) @reference)
(namespace_use_clause (qualified_name (name) @reference))
`
