/** A GraphQL error, and its original error. */
interface GraphQLMessage {
  readonly message: string;
  readonly originalError?: Error | undefined;
}

/**
 * GraphQL's message about a request, without the values that it quotes: a value may be a secret, and more people read
 * answers, logs and the caches between them than sent the request.
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

/** The value is between the name and the path, the reason after both. */
function redactVariable(message: string, name: string, reason: string): string {
  const before = message.endsWith(`; ${reason}`) ? message.slice(0, -reason.length - 2) : '';
  const path = / at "(\w+(?:\.\w+|\[\d+\])+)"$/.exec(before.slice(-maxPathLength))?.[1];
  const at = path === undefined ? '' : ` at "${path}"`;
  return `Variable "$${name}" got an invalid value${at}; ${redactValues({ message: reason })}`;
}

const maxPathLength = 1_000;
