import { get, type IncomingMessage } from 'node:http';
import { Problem } from '../../../contracts/problems.js';

/** What a watcher is sent: the row and its number. */
type OnChange = (id: string, n: number) => void;

/** Opens a stream and resolves when it is ready. */
export function watchFrom(url: string, onChange: OnChange): Promise<{ close(): void }> {
  return new Promise((resolve, reject) => {
    const headers = { accept: 'text/event-stream' };
    const request = get(url, { agent: false, headers }, (response) => {
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
      const { type, id, row } = changeIn(block);
      if (type === 'ready') ready();
      if (type === 'changed') onChange(id, row.n);
    }
  });
  // The watcher closes it itself.
  response.on('error', () => undefined);
}

interface Change {
  readonly type?: string | undefined;
  readonly id: string;
  readonly row: { readonly n: number };
}

/** A change of a live route, or the result of a subscription; a comment is neither. */
function changeIn(block: string): Change {
  const data = /^data: (.*)$/m.exec(block)?.[1] ?? '{}';
  const type = /^event: (.*)$/m.exec(block)?.[1];
  if (type !== 'next') return { ...(JSON.parse(data) as Change), type };
  const { data: fields } = JSON.parse(data) as { readonly data: Readonly<Record<string, Change>> };
  const [change] = Object.values(fields);
  return change ?? { id: '', row: { n: 0 } };
}
