/** The digits a number keeps, whatever they are. */
const kept = 15;

/** Whether a number, as it is written, says its digits and all of them. */
export function isPlainNumber(written: string): boolean {
  if (/e/i.test(written)) return false;
  return written.length <= kept || written.replaceAll(/[-.]/g, '').replaceAll(/^0+|0+$/g, '').length <= kept;
}

/** The numbers of a JSON text that are another text once they are read, by JSON Pointer, as they are written. */
export function unplainNumbers(json: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const steps: (string | number)[] = [];
  let isName = false;
  for (const [token] of json.matchAll(tokens)) {
    const last = steps.length - 1;
    const step = steps[last];
    if (token === '{' || token === '[') steps.push(token === '{' ? '' : 0);
    else if (token === '}' || token === ']') steps.pop();
    else if (token === ',' && typeof step === 'number') steps[last] = step + 1;
    else if (token.startsWith('"') && isName) steps[last] = String(JSON.parse(token));
    else if (/^[-\d]/.test(token) && !staysPlain(token)) found.set(pointerTo(steps), token);
    isName = (token === '{' || token === ',') && typeof steps.at(-1) === 'string';
  }
  return found;
}

const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*|[{}[\],]/g;

const staysPlain = (written: string): boolean =>
  isPlainNumber(written) && isPlainNumber(String(Number(written)));

const pointerTo = (steps: readonly (string | number)[]): string =>
  steps.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
