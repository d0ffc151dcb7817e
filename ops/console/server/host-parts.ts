import { Problem } from '../../../contracts/problems.js';
import type { ConsoleHost } from '../model/console-source.js';

type Part = Exclude<keyof ConsoleHost, 'about'>;

export function partOf<P extends Part>(host: ConsoleHost, part: P): NonNullable<ConsoleHost[P]> {
  const found = host[part];
  if (found === undefined) throw notFound(`${host.about.host} has no ${part} to show.`);
  return found;
}

export function numberOf(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw notFound(`'${text}' is not a number.`);
}

export function throwNotFound(detail: string): never {
  throw notFound(detail);
}

export const notFound = (detail: string): Problem => new Problem('not-found', { detail });
