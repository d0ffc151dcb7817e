import type { Debugger } from 'node:inspector';

type Frame = Pick<Debugger.CallFrame, 'functionName' | 'url' | 'location'>;

/** The innermost function that is in a file, with file and line; code made at run time is in none. */
export function locationOf(frames: readonly Frame[], files: ReadonlyMap<string, string>): string | undefined {
  for (const { functionName, url, location } of frames) {
    const file = url || files.get(location.scriptId);
    if (!file) continue;
    const short = file.split('/').slice(-2).join('/');
    return `${functionName || 'a function'} (${short}:${location.lineNumber + 1})`;
  }
  return undefined;
}
