import { pointerStep } from './json-pointer.js';

/** Answers, by JSON Pointer, how a number was written when reading it changes its text: `4.10`, `1e3`, 20 digits. */
export type WrittenAt = (path: string) => string | undefined;

/** How the numbers of a valid JSON text were written; the text is read once, and only when asked. */
export function writtenIn(json: string): WrittenAt {
  let root: Branch | undefined;
  let parent: string | undefined;
  let branch: Branch | undefined;
  return (path) => {
    root ??= new Scan(json).root;
    if (root.size === 0) return undefined;
    const last = path.lastIndexOf('/');
    const above = path.slice(0, last);
    // The items of an array have the way to it in common.
    if (above !== parent) branch = branchAt(root, above);
    parent = above;
    const found = branch?.get(path.slice(last + 1));
    return typeof found === 'string' ? found : undefined;
  };
}

/** Only what leads to a number that was written differently, by steps of JSON Pointers. */
type Branch = Map<string, Branch | string>;

function branchAt(root: Branch, path: string): Branch | undefined {
  let at: Branch | string | undefined = root;
  for (const step of path.split('/').slice(1)) at = typeof at === 'object' ? at.get(step) : undefined;
  return typeof at === 'object' ? at : undefined;
}

interface Container {
  readonly above: Container | undefined;
  /** Absent for an object, which has names instead. */
  index: number | undefined;
  /** As it is written, with its quotes. */
  name: string;
  /** Made when the first number below needs it. */
  branch: Branch | undefined;
}

class Scan {
  readonly root: Branch = new Map();
  #within: Container | undefined;
  /** Text in an object is a name until its colon. */
  #isName = false;

  constructor(private readonly json: string) {
    let at = 0;
    while (at < json.length) at = this.#take(at, json.charCodeAt(at));
  }

  /** Takes what begins here, and answers where it ends. */
  #take(at: number, code: number): number {
    if (code === quote) return this.#text(at);
    if (code === minus || isDigit(code)) return this.#number(at);
    if (code === openBrace || code === openBracket) this.#open(code === openBracket);
    else if (code === closeBrace || code === closeBracket) this.#within = this.#within?.above;
    else if (code === comma) this.#next();
    else if (code === colon) this.#isName = false;
    return at + 1;
  }

  #text(start: number): number {
    const { json } = this;
    let end = start + 1;
    for (let code = 0; end < json.length && code !== quote; end += code === backslash ? 2 : 1)
      code = json.charCodeAt(end);
    if (this.#isName && this.#within !== undefined) this.#within.name = json.slice(start, end);
    return end;
  }

  #number(start: number): number {
    const { json } = this;
    let end = start;
    let isWhole = true;
    for (let code = json.charCodeAt(end); isOfNumber(code); code = json.charCodeAt(++end))
      isWhole &&= isDigit(code);
    const container = this.#within;
    if (container === undefined) return end;
    forgetLast(container);
    if (isWhole && end - start <= safeDigits) return end;
    const text = json.slice(start, end);
    if (text !== String(Number(text))) this.#branchOf(container).set(stepOf(container), text);
    return end;
  }

  #open(isArray: boolean): void {
    const above = this.#within;
    if (above !== undefined) forgetLast(above);
    this.#within = { above, index: isArray ? 0 : undefined, name: '', branch: undefined };
    this.#isName = !isArray;
  }

  #next(): void {
    if (this.#within?.index === undefined) this.#isName = true;
    else this.#within.index++;
  }

  #branchOf(container: Container): Branch {
    const { above } = container;
    if (container.branch === undefined) {
      container.branch = above === undefined ? this.root : new Map();
      if (above !== undefined) this.#branchOf(above).set(stepOf(above), container.branch);
    }
    return container.branch;
  }
}

/** Of a name that comes twice the last one counts. */
function forgetLast(container: Container): void {
  if (container.branch !== undefined && container.index === undefined)
    container.branch.delete(stepOf(container));
}

const stepOf = ({ index, name }: Container): string =>
  index === undefined ? pointerStep(String(JSON.parse(name))) : String(index);

/** A whole number of so many digits is always read as it is written. */
const safeDigits = 15;

const quote = 0x22;
const comma = 0x2c;
const minus = 0x2d;
const colon = 0x3a;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

/** Digits, a point, a sign or an exponent. */
const isOfNumber = (code: number): boolean =>
  isDigit(code) || code === 0x2e || code === minus || code === 0x2b || code === 0x45 || code === 0x65;
