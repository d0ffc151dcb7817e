/** An error of GraphQL's own, and the one it was made of. */
interface GraphQLMessage {
  readonly message: string;
  readonly originalError?: Error | undefined;
}

/**
 * What GraphQL says of a request, without the values that it repeats: a value may be a secret,
 * and answers, logs and the caches between them are read by more people than the request was sent by.
 */
export function redactValues({ message, originalError }: GraphQLMessage): string {
  const variable = /^Variable "\$(\w+)" got invalid value /.exec(message)?.[1];
  if (variable !== undefined) return redactVariable(message, variable, originalError?.message ?? '');
  return message
    .replace(/^Value .* does not exist in ("\w+") enum\./s, 'The value does not exist in $1 enum.')
    .replace(/^(Syntax Error: .*?\b(?:String|BlockString|Int|Float)) ".*$/s, '$1.')
    .replace(/^(Argument "\w+" has invalid value) .*$/s, '$1.')
    .replace(/^(Expected value of type "[^"]*"), found .*$/s, '$1.')
    .replace(/^((?:Enum "\w+"|\w+) cannot represent [\w\s-]*): .*$/s, '$1.');
}

/** The value stands between the name and the place, the reason behind both. */
function redactVariable(message: string, name: string, reason: string): string {
  const before = message.endsWith(`; ${reason}`) ? message.slice(0, -reason.length - 2) : '';
  const path = / at "(\w+(?:\.\w+|\[\d+\])+)"$/.exec(before.slice(-maxPathLength))?.[1];
  const at = path === undefined ? '' : ` at "${path}"`;
  return `Variable "$${name}" got an invalid value${at}; ${redactValues({ message: reason })}`;
}

const maxPathLength = 1_000;
