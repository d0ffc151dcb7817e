// The scalars as text: used for checks and in schemas.

export const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
export const decimalPattern = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
/** The same, with at most this many digits. */
export const decimalPatternOf = (maxDigits: number): string =>
  `^(?=-?(?:\\d\\.?){1,${maxDigits}}$)${decimalPattern.source.slice(1)}`;
export const timestampPattern =
  /^\d{4}-\d{2}-\d{2}T(?:[01]\d|2[0-3])(?::[0-5]\d){2}(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;
export const durationPattern = /^-?P(?=.)(?:\d+D)?(?:T(?=.)(?:\d+H)?(?:\d+M)?(?:\d+(?:\.\d+)?S)?)?$/;
