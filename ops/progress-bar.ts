import { printableLine } from '../runtime/printable.js';

interface ProgressBar {
  /** `note` stands at the end of the line. */
  show(done: number, total: number, note?: string): void;
  /** Leaves the line as it was. */
  clear(): void;
}

interface Output {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

const width = 30;

/** One line that is written over; where nobody looks, nothing is written. */
export function progressBar(output: Output, what: string): ProgressBar {
  if (output.isTTY !== true) return { show: () => undefined, clear: () => undefined };
  let shown = '';
  return {
    show: (done, total, note = '') => {
      const share = total === 0 ? 1 : Math.min(1, done / total);
      const full = Math.floor(share * width);
      const line = `\r${printableLine(what)} ${'█'.repeat(full)}${'░'.repeat(width - full)} ${Math.floor(share * 100)} %${note === '' ? '' : ` ${printableLine(note)}`}`;
      // A shorter line leaves nothing of the longer one.
      if (line !== shown) output.write(shown.length > line.length ? `\r\x1b[2K${line}` : line);
      shown = line;
    },
    clear: () => {
      if (shown !== '') output.write('\r\x1b[2K');
      shown = '';
    },
  };
}
