/** Long enough for any name that a type declares. */
const maxStepLength = 128;
const keptOfLongStep = 64;

/**
 * A name as a step of a JSON Pointer. One that is longer than any declared name is cut short: a path is made for each
 * value below it, and with whole names these would be many times as long as what was sent.
 */
export function pointerStep(name: string): string {
  const shown = name.length <= maxStepLength ? name : `${name.slice(0, keptOfLongStep)}...${name.length}`;
  return shown.includes('~') || shown.includes('/')
    ? shown.replaceAll('~', '~0').replaceAll('/', '~1')
    : shown;
}

/**
 * The same path in one piece. The engine puts texts together only when they are looked into: without this it would go
 * through all steps of a deep path again for each item below it.
 */
export const flattenPath = (path: string): string => (Number.isNaN(path.charCodeAt(0)) ? '' : path);
