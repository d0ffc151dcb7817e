import { printableLine } from '../../runtime/lang/printable.js';

interface ProgressBar {
  /** `note` is shown at the end of the line. */
  show(done: number, total: number, note?: string): void;
  /** Clears the line. */
  clear(): void;
}

interface Output {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

const width = 30;

/** A line that is overwritten in place; writes nothing if the output is not a terminal. */
export function progressBar(output: Output, what: string): ProgressBar {
  if (output.isTTY !== true) return { show: () => undefined, clear: () => undefined };
  let shown = '';
  return {
    show: (done, total, note = '') => {
      const share = total === 0 ? 1 : Math.min(1, done / total);
      const full = Math.floor(share * width);
      const line = `\r${printableLine(what)} ${'█'.repeat(full)}${'░'.repeat(width - full)} ${Math.floor(share * 100)} %${note === '' ? '' : ` ${printableLine(note)}`}`;
      // Pad a shorter line to overwrite the longer one before it.
      if (line !== shown) output.write(shown.length > line.length ? `\r\x1b[2K${line}` : line);
      shown = line;
    },
    clear: () => {
      if (shown !== '') output.write('\r\x1b[2K');
      shown = '';
    },
  };
}
