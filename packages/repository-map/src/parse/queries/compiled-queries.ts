export const GO = `
(function_declaration name: (identifier) @definition)
(method_declaration name: (field_identifier) @definition)
(method_elem name: (field_identifier) @definition)
(type_spec name: (type_identifier) @definition)
(type_alias name: (type_identifier) @definition)
(source_file (const_declaration (const_spec name: (identifier) @definition)))
(source_file (var_declaration (var_spec name: (identifier) @definition)))
(source_file (var_declaration (var_spec_list (var_spec name: (identifier) @definition))))

(call_expression function: (identifier) @reference)
(call_expression function: (selector_expression field: (field_identifier) @member))
(type_identifier) @reference
`

export const RUST = `
(function_item name: (identifier) @definition)
(function_signature_item name: (identifier) @definition)
(struct_item name: (type_identifier) @definition)
(enum_item name: (type_identifier) @definition)
(union_item name: (type_identifier) @definition)
(trait_item name: (type_identifier) @definition)
(type_item name: (type_identifier) @definition)
(mod_item name: (identifier) @definition)
(const_item name: (identifier) @definition)
(static_item name: (identifier) @definition)
(macro_definition name: (identifier) @definition)

(call_expression function: (identifier) @reference)
(call_expression function: (field_expression field: (field_identifier) @member))
(scoped_identifier name: (identifier) @reference)
(scoped_use_list path: (identifier) @reference)
(use_list (identifier) @reference)
(macro_invocation macro: (identifier) @reference)
(type_identifier) @reference
`

export const JAVA = `
(class_declaration name: (identifier) @definition)
(interface_declaration name: (identifier) @definition)
(enum_declaration name: (identifier) @definition)
(record_declaration name: (identifier) @definition)
(annotation_type_declaration name: (identifier) @definition)
(method_declaration name: (identifier) @definition)
(constructor_declaration name: (identifier) @definition)
(field_declaration declarator: (variable_declarator name: (identifier) @definition))

(method_invocation object: (_) name: (identifier) @member)
(method_invocation !object name: (identifier) @reference)
(type_identifier) @reference
`

const C_SHARED = `
(function_declarator declarator: (identifier) @definition)
(struct_specifier name: (type_identifier) @definition body: (_))
(union_specifier name: (type_identifier) @definition body: (_))
(enum_specifier name: (type_identifier) @definition body: (_))
(type_definition declarator: (type_identifier) @definition)
(type_definition declarator: (function_declarator
  declarator: (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @definition))))
(preproc_def name: (identifier) @definition)
(preproc_function_def name: (identifier) @definition)
(translation_unit (declaration declarator: (identifier) @definition))
(translation_unit (declaration declarator: (init_declarator declarator: (identifier) @definition)))
(translation_unit (declaration
  declarator: (init_declarator declarator: (pointer_declarator declarator: (identifier) @definition))))
(translation_unit (declaration
  declarator: (init_declarator declarator: (array_declarator declarator: (identifier) @definition))))

(call_expression function: (identifier) @reference)
(call_expression function: (field_expression field: (field_identifier) @member))
(type_identifier) @reference
(preproc_include path: (string_literal (string_content) @import))
`

export const C = C_SHARED

export const CPP = `${C_SHARED}
(class_specifier name: (type_identifier) @definition body: (_))
(namespace_definition name: (namespace_identifier) @definition)
(function_declarator declarator: (field_identifier) @definition)
(function_declarator declarator: (destructor_name (identifier) @definition))
(function_declarator declarator: (qualified_identifier name: (identifier) @definition))
(function_declarator declarator: (qualified_identifier name: (qualified_identifier name: (identifier) @definition)))
(alias_declaration name: (type_identifier) @definition)
(concept_definition name: (identifier) @definition)
(namespace_definition body: (declaration_list (declaration
  declarator: (init_declarator declarator: (identifier) @definition))))

(call_expression function: (qualified_identifier name: (identifier) @reference))
(template_function name: (identifier) @reference)
(base_class_clause (type_identifier) @reference)
`

export const C_SHARP = `
(class_declaration name: (identifier) @definition)
(struct_declaration name: (identifier) @definition)
(interface_declaration name: (identifier) @definition)
(record_declaration name: (identifier) @definition)
(enum_declaration name: (identifier) @definition)
(delegate_declaration name: (identifier) @definition)
(method_declaration name: (identifier) @definition)
(constructor_declaration name: (identifier) @definition)
(property_declaration name: (identifier) @definition)
(local_function_statement name: (identifier) @definition)
(field_declaration (variable_declaration (variable_declarator name: (identifier) @definition)))
(event_field_declaration (variable_declaration (variable_declarator name: (identifier) @definition)))

(invocation_expression function: (identifier) @reference)
(invocation_expression function: (member_access_expression name: (identifier) @member))
(object_creation_expression type: (identifier) @reference)
(base_list (identifier) @reference)
(_ type: (identifier) @reference)
(type_argument_list (identifier) @reference)
(generic_name (identifier) @reference)
`

export const SWIFT = `
(class_declaration name: (type_identifier) @definition)
(protocol_declaration name: (type_identifier) @definition)
(function_declaration name: (simple_identifier) @definition)
(protocol_function_declaration name: (simple_identifier) @definition)
(typealias_declaration name: (type_identifier) @definition)
(source_file (property_declaration name: (pattern bound_identifier: (simple_identifier) @definition)))
(class_body (property_declaration name: (pattern bound_identifier: (simple_identifier) @definition)))

(call_expression (simple_identifier) @reference)
(navigation_suffix suffix: (simple_identifier) @member)
(user_type (type_identifier) @reference)
`

export const DART = `
(class_definition name: (identifier) @definition)
(mixin_declaration (identifier) @definition)
(extension_declaration name: (identifier) @definition)
(enum_declaration name: (identifier) @definition)
(type_alias . (type_identifier) @definition)
(function_signature name: (identifier) @definition)
(getter_signature name: (identifier) @definition)
(setter_signature name: (identifier) @definition)
(program (static_final_declaration_list (static_final_declaration (identifier) @definition)))

(type_identifier) @reference
((identifier) @reference . (selector))
(unconditional_assignable_selector (identifier) @member)
`

export const SOLIDITY = `
(contract_declaration name: (identifier) @definition)
(interface_declaration name: (identifier) @definition)
(library_declaration name: (identifier) @definition)
(function_definition name: (identifier) @definition)
(modifier_definition name: (identifier) @definition)
(event_definition name: (identifier) @definition)
(error_declaration name: (identifier) @definition)
(struct_declaration name: (identifier) @definition)
(enum_declaration name: (identifier) @definition)
(state_variable_declaration name: (identifier) @definition)
(constant_variable_declaration name: (identifier) @definition)

(call_expression function: (expression (identifier) @reference))
(user_defined_type (identifier) @reference)
(inheritance_specifier ancestor: (user_defined_type (identifier) @reference))
`
