const longestBody = 4_000;

/** The body of a command as JSON, cut; undefined if it has no form in JSON. */
export function recordedBody(body: () => unknown): string | undefined {
  try {
    const text = JSON.stringify(body(), undefined, 2) as string | undefined;
    if (text === undefined || text.length <= longestBody) return text;
    return `${text.slice(0, longestBody)} … (${text.length - longestBody} more characters)`;
  } catch {
    // Observing must not fail.
    return undefined;
  }
}
