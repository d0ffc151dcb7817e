/** Most lines have no number that is long enough. */
const mayBeLost = /[:,[\s]-?(?:\d[\d.]{15}|\d[\d.]*[eE][+-]?\d{3})/;
const quote = 0x22;
const backslash = 0x5c;
const minus = 0x2d;

/** The beginning of the first number of a valid JSON text that would change if it were read and written again. */
export function lostNumberIn(json: string): string | undefined {
  if (!mayBeLost.test(json)) return undefined;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === quote) at = endOfText(json, at);
    else if (code === minus || isDigit(code)) {
      const start = at;
      while (isOfNumber(json.charCodeAt(at + 1))) at++;
      const number = json.slice(start, at + 1);
      if (!isKept(number)) return number.slice(0, 30);
    }
  }
  return undefined;
}

/** 15 digits always read back as written. */
const isKept = (number: string): boolean =>
  (number.length <= 15 && !/[eE][+-]?\d{3}/.test(number)) || String(Number(number)) === number;

function endOfText(json: string, start: number): number {
  let at = start + 1;
  while (at < json.length && json.charCodeAt(at) !== quote) at += json.charCodeAt(at) === backslash ? 2 : 1;
  return at;
}

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

/** A digit, a point, a sign or an exponent. */
const isOfNumber = (code: number): boolean =>
  isDigit(code) || code === 0x2e || code === minus || code === 0x2b || code === 0x45 || code === 0x65;
