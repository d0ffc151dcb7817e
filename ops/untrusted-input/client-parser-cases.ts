import { readingBy } from '../../endpoints/generator/testing/client-of-example.js';
import { secondsIn } from '../../runtime/outbound/guarded-fetch.js';
import { run, textShapes } from './hostile-shapes.js';
import type { UntrustedParser } from './untrusted-parser.js';

const units = [
  '\n',
  '\r',
  '\r\n',
  ':',
  'x',
  '€',
  'data\n',
  'data: x\n',
  'id: 1\n',
  'id: 1\n\n',
  'retry: 1\r\n',
];

/** What a generated client reads of a service, and the runtime of a receiver of webhooks. */
export const clientParserCases: readonly UntrustedParser[] = [
  {
    name: 'a live stream',
    in: 'endpoints/generator/emit/client-watch-support.ts',
    limit: 1_048_576,
    shapes: units.flatMap((unit) => [run(unit), run(unit, 'event: changed\ndata: ')]),
    read: follow,
  },
  {
    name: 'Retry-After',
    in: 'runtime/outbound/guarded-fetch.ts',
    limit: 8_192,
    shapes: textShapes('1', 'Thu, 19 Nov 2026 '),
    read: secondsIn,
  },
];

const parts = 1_024;

/** In many parts, as a connection delivers it. */
async function follow(text: string): Promise<void> {
  const bytes = Buffer.from(`${text}\n\nevent: closed\ndata: {"reason":"end"}\n\n`);
  const length = Math.ceil(bytes.length / parts);
  const { rows } = await readingBy(() => {
    let at = 0;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        controller.enqueue(bytes.subarray(at, (at += length)));
        if (at >= bytes.length) controller.close();
      },
    });
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  });
  for await (const _ of rows.watch()) continue;
}
