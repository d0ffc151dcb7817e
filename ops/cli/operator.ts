import { userInfo } from 'node:os';

const mostOfName = 256;

/** The operator: SVC_ACTOR, else the user of the operating system. */
export function currentOperator(env: Readonly<Record<string, string | undefined>> = process.env): string {
  const named = env['SVC_ACTOR']
    ?.replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, mostOfName);
  if (named) return named;
  try {
    return userInfo().username;
  } catch {
    // In a container a user may have an id and no name.
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
