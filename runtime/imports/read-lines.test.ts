import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { collect } from '../kit/collect.js';
import { readLines } from './read-lines.js';

const test = suite('lines of a file');

async function* inPieces(bytes: Buffer, cuts: readonly number[]): AsyncGenerator<Buffer> {
  const ends = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].toSorted((a, b) => a - b);
  let from = 0;
  for (const end of ends) {
    yield bytes.subarray(from, end);
    from = end;
  }
}

const linesOf = async (bytes: Buffer, cuts: readonly number[] = [], most?: number) =>
  (await collect(readLines(inPieces(bytes, cuts), most))).flat();

test('lines are the same wherever the file is cut, and blank lines only count', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\n', ''))),
      fc.array(fc.nat()),
      async (texts, cuts) => {
        const expected = texts.flatMap((text, index) =>
          text.trim() === '' ? [] : [{ number: index + 1, text, bytes: Buffer.byteLength(text) }],
        );
        assert.equal(await linesOf(Buffer.from(texts.join('\n')), cuts), expected);
      },
    ),
  ));

const refusal = async (bytes: Buffer, most?: number): Promise<string> => {
  try {
    await linesOf(bytes, [3], most);
    return 'read';
  } catch (error) {
    return (error as Error).message;
  }
};

test('a line that is too long is refused before it has arrived', async () => {
  assert.is(await refusal(Buffer.from('one\n12345678'), 8), 'read');
  for (const text of ['one\n123456789', 'one\n123456789\n', 'one\n123456789\nthree'])
    assert.match(await refusal(Buffer.from(text), 8), /Line 2: it is longer than 8 bytes/);
});

test('a line that is not UTF-8 is named', async () => {
  assert.match(await refusal(Buffer.from([0x61, 0x0a, 0xff, 0x0a])), /Line 2: it is not UTF-8/);
});
