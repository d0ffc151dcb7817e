/** Long enough for any name that a type declares. */
const maxStepLength = 128;
const keptOfLongStep = 64;

/**
 * A name as a step of a JSON Pointer. Names longer than any declared name are truncated: a path is built for every
 * value below, so full names could make the paths many times larger than the input.
 */
export function pointerStep(name: string): string {
  const shown = name.length <= maxStepLength ? name : `${name.slice(0, keptOfLongStep)}...${name.length}`;
  return shown.includes('~') || shown.includes('/')
    ? shown.replaceAll('~', '~0').replaceAll('/', '~1')
    : shown;
}

/**
 * The same path as a flat string. The engine concatenates lazily, on first access: without this, every item below a
 * deep path would walk all its steps again.
 */
export const flattenPath = (path: string): string => (Number.isNaN(path.charCodeAt(0)) ? '' : path);
