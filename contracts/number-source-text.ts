import { pointerStep } from './json-pointer.js';

/** Looks up, by JSON Pointer, how a number was written if parsing changes its text: `4.10`, `1e3`, 20 digits. */
export type WrittenAt = (path: string) => string | undefined;

/** How the numbers of a valid JSON text were written; the text is scanned once, on the first lookup. */
export function writtenIn(json: string): WrittenAt {
  let isRead = false;
  let root: Node;
  let parent: string | undefined;
  let branch: Node;
  return (path) => {
    if (!isRead) root = mayDiffer.test(json) ? scan(json) : undefined;
    isRead = true;
    if (root === undefined) return undefined;
    const last = path.lastIndexOf('/');
    const above = path.slice(0, last);
    // The items of an array share the path to it.
    if (above !== parent) branch = nodeAt(root, above);
    parent = above;
    const found = memberOf(branch, path.slice(last + 1));
    return typeof found === 'string' ? found : undefined;
  };
}

/** An exponent, a trailing zero, too many digits for a double, a tiny fraction, a negative zero; most bodies have none. */
const mayDiffer = /[:,[\s]-?(?:\d[\d.]{14}|\d+(?:\.\d*)?[eE]|\d+\.\d*0(?!\d)|0\.0{6})|-0(?![.\d])/;

/** Holds only paths to numbers that were written differently: by index, or by JSON Pointer steps. */
type Branch = Map<string, Node> | Node[];
type Node = Branch | string | undefined;

function nodeAt(root: Node, path: string): Node {
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
  /** Where its last name starts, at the opening quote. */
  nameAt: number;
  nameEnd: number;
  /** Created by the first number below that needs it. */
  branch: Branch | undefined;
}

/** The branch of the outermost container; undefined when every number reads back as written. */
function scan(json: string): Branch | undefined {
  let top: Container | undefined;
  let within: Container | undefined;
  // A text in an object is a name until its colon.
  let isName = false;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === quote) {
      const start = at;
      at = endOfText(json, at);
      if (isName && within !== undefined) [within.nameAt, within.nameEnd] = [start, at];
    } else if (isDigit(code) || code === minus) {
      const start = at;
      while (isOfNumber(json.charCodeAt(at + 1))) at++;
      if (within !== undefined) takeNumber(json, within, start, at + 1);
    } else if (code === comma) {
      if (within?.index === undefined) isName = true;
      else within.index++;
    } else if (code === colon) {
      isName = false;
    } else if (code === openBrace || code === openBracket) {
      if (within !== undefined) forgetLast(json, within);
      isName = code === openBrace;
      within = { above: within, index: isName ? undefined : 0, nameAt: 0, nameEnd: 0, branch: undefined };
      top ??= within;
    } else if (code === closeBrace || code === closeBracket) {
      within = within?.above;
    }
  }
  return top?.branch;
}

/** The index of its closing quote. */
function endOfText(json: string, start: number): number {
  let at = start + 1;
  for (let code = json.charCodeAt(at); code !== quote && at < json.length; code = json.charCodeAt(at))
    at += code === backslash ? 2 : 1;
  return at;
}

function takeNumber(json: string, container: Container, start: number, end: number): void {
  forgetLast(json, container);
  if (end - start <= safeDigits && isWhole(json, start, end)) return;
  const text = json.slice(start, end);
  if (text !== String(Number(text))) put(json, container, text);
}

function put(json: string, container: Container, node: Node): void {
  const branch = branchOf(json, container);
  if (Array.isArray(branch)) branch[container.index ?? 0] = node;
  else branch.set(stepOf(json, container), node);
}

function branchOf(json: string, container: Container): Branch {
  if (container.branch !== undefined) return container.branch;
  container.branch = container.index === undefined ? new Map<string, Node>() : [];
  if (container.above !== undefined) put(json, container.above, container.branch);
  return container.branch;
}

/** If a name occurs twice, the last one counts. */
function forgetLast(json: string, container: Container): void {
  if (container.branch instanceof Map) container.branch.delete(stepOf(json, container));
}

function stepOf(json: string, { nameAt, nameEnd }: Container): string {
  const name = json.slice(nameAt + 1, nameEnd);
  return pointerStep(name.includes('\\') ? String(JSON.parse(`"${name}"`)) : name);
}

/** An integer of this many digits always reads back as written. */
const safeDigits = 15;

function isWhole(json: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (!isDigit(json.charCodeAt(at))) return false;
  return true;
}

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

/** A digit, a point, a sign or an exponent. */
const isOfNumber = (code: number): boolean =>
  isDigit(code) || code === 0x2e || code === minus || code === 0x2b || code === 0x45 || code === 0x65;
