import { pointerStep } from './json-pointer.js';

/** Answers, by JSON Pointer, how a number was written when reading it changes its text: `4.10`, `1e3`, 20 digits. */
export type WrittenAt = (path: string) => string | undefined;

/** How the numbers of a valid JSON text were written; the text is read once, and only when asked. */
export function writtenIn(json: string): WrittenAt {
  let root: Branch | undefined;
  let isEmpty = false;
  let parent: string | undefined;
  let branch: Node;
  return (path) => {
    if (root === undefined) ({ root, isEmpty } = new Scan(json));
    if (isEmpty) return undefined;
    const last = path.lastIndexOf('/');
    const above = path.slice(0, last);
    // The items of an array have the way to it in common.
    if (above !== parent) branch = nodeAt(root, above);
    parent = above;
    const found = memberOf(branch, path.slice(last + 1));
    return typeof found === 'string' ? found : undefined;
  };
}

/** Only what leads to a number that was written differently: by index, or by steps of JSON Pointers. */
type Branch = Map<string, Node> | Node[];
type Node = Branch | string | undefined;

function nodeAt(root: Branch, path: string): Node {
  let at: Node = root;
  for (const step of path.split('/').slice(1)) at = memberOf(at, step);
  return at;
}

function memberOf(node: Node, step: string): Node {
  if (node === undefined || typeof node === 'string') return undefined;
  return Array.isArray(node) ? node[Number(step)] : node.get(step);
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
  root: Branch = [];
  isEmpty = true;
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
    let others = 0;
    let last = 0;
    for (let code = json.charCodeAt(end); isOfNumber(code); code = json.charCodeAt(++end)) {
      if (!isDigit(code)) others |= code === point ? fraction : exponentOrSign;
      last = code;
    }
    const container = this.#within;
    if (container === undefined) return end;
    forgetLast(container);
    if (others === 0 && end - start <= safeDigits) return end;
    const text = json.slice(start, end);
    // A fraction that ends in zero is never read as it is written: nothing to compare.
    if ((others === fraction && last === zero) || text !== String(Number(text)))
      put(this.#branchOf(container), container, text);
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
    if (container.branch !== undefined) return container.branch;
    this.isEmpty = false;
    container.branch = container.index === undefined ? new Map<string, Node>() : [];
    if (above === undefined) this.root = container.branch;
    else put(this.#branchOf(above), above, container.branch);
    return container.branch;
  }
}

function put(branch: Branch, { index, name }: Container, node: Node): void {
  if (Array.isArray(branch)) branch[index ?? 0] = node;
  else branch.set(stepOf(name), node);
}

/** Of a name that comes twice the last one counts. */
function forgetLast({ branch, name }: Container): void {
  if (branch instanceof Map) branch.delete(stepOf(name));
}

const stepOf = (name: string): string => pointerStep(String(JSON.parse(name)));

/** What a number has besides digits. */
const fraction = 1;
const exponentOrSign = 2;

/** A whole number of so many digits is always read as it is written. */
const safeDigits = 15;

const quote = 0x22;
const comma = 0x2c;
const minus = 0x2d;
const point = 0x2e;
const zero = 0x30;
const colon = 0x3a;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

/** Digits, a point, a sign or an exponent. */
const isOfNumber = (code: number): boolean =>
  isDigit(code) || code === point || code === minus || code === 0x2b || code === 0x45 || code === 0x65;
