/** Long enough for any name that a type declares. */
const longestStep = 128;
const shownOfLonger = 64;

/**
 * A name as a step of a JSON Pointer. One that is longer than any declared name is cut short: a path is made for each
 * value below it, and with whole names these would be many times as long as what was sent.
 */
export function pointerStep(name: string): string {
  const shown = name.length <= longestStep ? name : `${name.slice(0, shownOfLonger)}...${name.length}`;
  return shown.includes('~') || shown.includes('/')
    ? shown.replaceAll('~', '~0').replaceAll('/', '~1')
    : shown;
}

/**
 * The same path in one piece. The engine puts texts together only when they are looked into: without this it would go
 * through all steps of a deep path again for each item below it.
 */
export const inOnePiece = (path: string): string => (Number.isNaN(path.charCodeAt(0)) ? '' : path);
