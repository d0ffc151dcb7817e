import { fileLines, isRed } from './report.js';
import type { FileResult } from './report.js';

interface Screen {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

interface Progress {
  finished(result: FileResult): void;
  /** Removes the line. */
  end(): void;
}

/** On a terminal one line that is rewritten, and above it what failed; elsewhere a line for every file. */
export function showProgress(screen: Screen, total: number, now: () => number = Date.now): Progress {
  if (screen.isTTY !== true) {
    return { finished: (result) => screen.write(text(fileLines(result))), end: () => undefined };
  }
  const startedAt = now();
  const seen = { files: 0, failed: 0 };
  return {
    finished: (result) => {
      seen.files++;
      if (isRed(result)) seen.failed++;
      const above = isRed(result) ? text(fileLines(result)) : '';
      const counts = `${seen.files} of ${total}, ${seen.failed} failed, ${clock(now() - startedAt)}`;
      screen.write(`${eraseLine}${above}${`${counts}  ${result.file}`.slice(0, (screen.columns ?? 80) - 1)}`);
    },
    end: () => void screen.write(eraseLine),
  };
}

const eraseLine = '\r\u001b[K';

const text = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');

const clock = (ms: number): string =>
  `${Math.floor(ms / 60_000)}:${String(Math.floor(ms / 1_000) % 60).padStart(2, '0')}`;
