export interface RedactedError {
  readonly name: string;
  readonly code: string | undefined;
}

export const redacted = '[redacted]';

/** The public part of an error: its name and code, if they look like a name and a code. */
export function redactError(error: unknown): RedactedError {
  if (!(error instanceof Error)) return { name: typeof error, code: undefined };
  try {
    const code = 'code' in error ? error.code : undefined;
    return { name: nameLike(nameOf(error)), code: code === undefined ? undefined : nameLike(code) };
  } catch {
    // A getter of the error threw; observing must not fail.
    return { name: redacted, code: undefined };
  }
}

/** Most classes of errors do not set the name, which is then that of their base. */
const nameOf = (error: Error): string => (error.name === 'Error' ? error.constructor.name : error.name);

const nameLike = (text: unknown): string =>
  typeof text === 'string' && /^[A-Za-z][\w.:-]{0,63}$/.test(text) ? text : redacted;
