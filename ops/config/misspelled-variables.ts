import { log } from '../../runtime/logging/log.js';
import { nearest } from '../terminal/did-you-mean.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** Variables that a host does not know, and whose names are nearly those of one that the help of `svc start` lists. */
export function misspelledVariables(env: Environment, help: string): readonly string[] {
  const known = help.match(/\bSVC_[A-Z_]+/g) ?? [];
  return Object.keys(env)
    .filter((name) => name.startsWith('SVC_'))
    .flatMap((name) => {
      const near = nearest(name, known);
      return near === undefined ? [] : [`${name} has no effect; did you mean ${near}?`];
    });
}

/** An application may have variables of its own, so this is no reason not to start. */
export const warnOfMisspelled = (help: string): void =>
  misspelledVariables(process.env, help).forEach((warning) => log.warn(warning));
