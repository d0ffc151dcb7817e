import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { serveLines } from './serve-lines.js';

const test = suite('the Model Context Protocol over pipes');

/** What is answered to these chunks. */
async function answersTo(
  ...chunks: readonly string[]
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const lines: string[] = [];
  async function* input(): AsyncGenerator<Buffer> {
    for (const chunk of chunks) yield Buffer.from(chunk);
  }
  const tools = { list: () => [], call: async () => undefined };
  await serveLines(input(), (line) => void lines.push(line), { name: 'svc', version: '1' }, tools);
  return lines.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
}

const ping = (id: number): string => JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' });

test('each line is answered, however it is cut into chunks', async () => {
  const [one, two] = [ping(1), ping(2)];
  const answers = await answersTo(`${one}\n${two.slice(0, 9)}`, two.slice(9), `\n\n${ping(3)}\n`);
  assert.equal(
    answers.map(({ id }) => id),
    [1, 2, 3],
  );
});

test('a notification has no answer, and a line that is no JSON has one', async () => {
  const note = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' });
  const answers = await answersTo(`${note}\n`, 'hello\n', `${ping(1)}\n`);
  assert.equal(
    answers.map(({ id }) => id),
    [null, 1],
  );
});

test('a line that is too long is refused and dropped, and the next one is answered', async () => {
  const chunk = 'x'.repeat(600_000);
  const answers = await answersTo(chunk, chunk, chunk, `\n${ping(1)}\n`);
  assert.match(JSON.stringify(answers[0]), /at most 1048576 bytes/);
  assert.is(answers[1]?.['id'], 1);
});
