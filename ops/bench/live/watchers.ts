import { get, type IncomingMessage } from 'node:http';
import { Problem } from '../../../contracts/problems.js';

/** What a watcher is sent: the row and its number. */
type OnChange = (id: string, n: number) => void;

/** Opens a stream and resolves when it is ready. */
export function watchFrom(url: string, onChange: OnChange): Promise<{ close(): void }> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent: false }, (response) => {
      if (response.statusCode !== 200)
        return reject(new Problem('unexpected', { detail: `${url} answered ${response.statusCode ?? 0}` }));
      read(response, onChange, () => resolve({ close: () => request.destroy() }));
    });
    request.on('error', reject);
  });
}

function read(response: IncomingMessage, onChange: OnChange, ready: () => void): void {
  let rest = '';
  response.setEncoding('utf8').on('data', (text: string) => {
    const blocks = (rest + text).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      if (block.includes('event: ready')) ready();
      if (!block.includes('event: changed')) continue;
      const { id, row } = JSON.parse(block.slice(block.indexOf('data: ') + 'data: '.length)) as Changed;
      onChange(id, row.n);
    }
  });
  // The watcher closes it itself.
  response.on('error', () => undefined);
}

interface Changed {
  readonly id: string;
  readonly row: { readonly n: number };
}
