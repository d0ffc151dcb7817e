/** An error of GraphQL's own, and the one it was made of. */
interface Said {
  readonly message: string;
  readonly originalError?: Error | undefined;
}

/**
 * What GraphQL says of a request, without the values that it repeats: a value may be a secret,
 * and answers, logs and the caches between them are read by more people than the request was sent by.
 */
export function withoutValues({ message, originalError }: Said): string {
  const variable = /^Variable "\$(\w+)" got invalid value /.exec(message)?.[1];
  if (variable !== undefined) return ofVariable(message, variable, originalError?.message ?? '');
  return message
    .replace(/^Value .* does not exist in ("\w+") enum\./s, 'The value does not exist in $1 enum.')
    .replace(/^(Syntax Error: .*?\b(?:String|BlockString|Int|Float)) ".*$/s, '$1.')
    .replace(/^(Argument "\w+" has invalid value) .*$/s, '$1.')
    .replace(/^(Expected value of type "[^"]*"), found .*$/s, '$1.')
    .replace(/^((?:Enum "\w+"|\w+) cannot represent [\w\s-]*): .*$/s, '$1.');
}

/** The value stands between the name and the place, the reason behind both. */
function ofVariable(message: string, name: string, reason: string): string {
  const before = message.endsWith(`; ${reason}`) ? message.slice(0, -reason.length - 2) : '';
  const place = / at "(\w+(?:\.\w+|\[\d+\])+)"$/.exec(before.slice(-longestPlace))?.[1];
  const at = place === undefined ? '' : ` at "${place}"`;
  return `Variable "$${name}" got an invalid value${at}; ${withoutValues({ message: reason })}`;
}

const longestPlace = 1_000;
