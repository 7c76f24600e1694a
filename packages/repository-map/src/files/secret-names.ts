/** Files that hold keys and passwords, by their names: no map shows or reads them. [MAP2] */
export function isSecretName(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  return SECRET_NAMES.some((pattern) => pattern.test(name))
}

const SECRET_NAMES: readonly RegExp[] = [
  /^\.env/,
  /^\.(?:netrc|npmrc|pypirc|pgpass|htpasswd|git-credentials|dockercfg)$/,
  /^id_(?:rsa|dsa|ecdsa|ed25519)/,
  /\.(?:pem|key|p12|pfx|jks|keystore|kdbx|asc|gpg|ppk)$/,
  /^credentials(?:\.|$)/,
  /^secrets?\.(?:json|ya?ml|toml|env|txt)$/,
]
