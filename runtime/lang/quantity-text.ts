const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

/** `1 event`, `164,540 events`. */
export const countText = (count: number, what: string): string =>
  `${whole.format(count)} ${what}${count === 1 ? '' : 's'}`;

/** A time in the unit that a reader needs: `61 s`, `16 min`, `9 days`. */
export function secondsText(seconds: number): string {
  const units = [
    [2 * 86_400, 86_400, 'days'],
    [2 * 3_600, 3_600, 'h'],
    [120, 60, 'min'],
  ] as const;
  const [, size, unit] = units.find(([least]) => seconds >= least) ?? [0, 1, 's'];
  return `${whole.format(Math.floor(Math.round(seconds) / size))} ${unit}`;
}
