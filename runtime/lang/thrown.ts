const maxNameLength = 100;

/** The message of whatever was thrown: any value can be, and libraries put answers of other systems into errors. */
export const thrownMessage = (thrown: unknown): string =>
  textOf(() => (thrown instanceof Error ? thrown.message : thrown));

export const thrownName = (thrown: unknown): string =>
  textOf(() => (thrown instanceof Error ? thrown.name : 'Error')).slice(0, maxNameLength);

export const thrownStack = (thrown: unknown): string =>
  textOf(() => (thrown instanceof Error ? (thrown.stack ?? '') : ''));

function textOf(read: () => unknown): string {
  try {
    return String(read());
  } catch {
    return 'a value without a text';
  }
}
