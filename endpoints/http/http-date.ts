let text = '';
let from = Infinity;

/** The time of an answer, as HTTP writes it; the same text for a second. */
export function httpDate(now: number = Date.now()): string {
  // The clock may also be set back.
  if (now < from || now >= from + 1_000) {
    text = new Date(now).toUTCString();
    from = now - (now % 1_000);
  }
  return text;
}
