import type { Labels } from './objects.js';

/** Whether pods with exactly these labels are selected. */
export const selects = (selector: Labels, labels: Labels): boolean =>
  Object.entries(selector).every(([key, value]) => labels[key] === value);

/** What pods of both sides have in common. */
export const sharedLabels = (one: Labels, other: Labels): Labels =>
  Object.fromEntries(Object.entries(one).filter(([key, value]) => other[key] === value));

/** A merge patch that makes one set of labels of another; undefined if they are the same. */
export function labelsPatch(from: Labels, to: Labels): Readonly<Record<string, string | null>> | undefined {
  const removed = Object.keys(from).filter((key) => !(key in to));
  const changed = Object.entries(to).filter(([key, value]) => from[key] !== value);
  if (removed.length + changed.length === 0) return undefined;
  return Object.fromEntries([...removed.map((key) => [key, null] as const), ...changed]);
}

/** As a query of the API: `app=orders,slot=blue`. */
export const selectorText = (labels: Labels): string =>
  Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(',');
