export interface RedactedError {
  readonly name: string;
  readonly code: string | undefined;
}

export const redacted = '[redacted]';

/** What may be told of an error: its name and code, and those only when they look like one. */
export function redactError(error: unknown): RedactedError {
  if (!(error instanceof Error)) return { name: typeof error, code: undefined };
  try {
    const code = 'code' in error ? error.code : undefined;
    return { name: nameLike(error.name), code: code === undefined ? undefined : nameLike(code) };
  } catch {
    // Somebody's own getter threw; whoever looks must not be what fails.
    return { name: redacted, code: undefined };
  }
}

const nameLike = (text: unknown): string =>
  typeof text === 'string' && /^[A-Za-z][\w.:-]{0,63}$/.test(text) ? text : redacted;
