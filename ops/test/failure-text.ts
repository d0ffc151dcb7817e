import { inspect } from 'node:util';
import type { Result } from '../../contracts/testing/suite.js';
import { withSourcePlaces } from './source-places.js';

/** What went wrong in a test and in its hooks, for a reader. */
export const failureText = ({ name, ms, failures }: Result): string =>
  failures
    .map(({ hook, error }) => {
      const where = hook === undefined ? '' : `, ${hook}`;
      return `✗ ${name}${where}  ${Math.round(ms)} ms\n${indented(withSourcePlaces(errorText(error)))}\n`;
    })
    .join('\n');

/** An assertion shows its difference instead of its fields. */
function errorText(error: unknown): string {
  if (!isAssertion(error)) return inspect(error);
  const { message, operator, details, stack = '' } = error;
  const place = stack.split('\n').filter((line) => /^\s+at /.test(line) && !ofRunner.test(line));
  return [`${message}  (${operator})`, ...(details ? [details] : []), ...place].join('\n');
}

interface Assertion extends Error {
  readonly operator: string;
  readonly details: string | false;
}

/** An assertion of uvu. */
const isAssertion = (error: unknown): error is Assertion =>
  error instanceof Error && error.name === 'Assertion' && 'details' in error && 'operator' in error;

const ofRunner = /node:|\/uvu\/|\/testing\/suite\.|\/test\/worker-process\./;

const indented = (text: string): string => text.replaceAll(/^(?=.)/gm, '  ');
