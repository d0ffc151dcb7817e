import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { costProblemOf } from './parse-cost.js';
import type { UntrustedParser } from './untrusted-parser.js';
import { untrustedParsers } from './parsers.js';

const test = suite('parsers');

/** A refusal is an answer. */
const reading =
  ({ read }: UntrustedParser) =>
  async (input: string): Promise<void> => {
    try {
      await read(input);
    } catch {
      // Only the duration matters here, not the answer.
    }
  };

for (const parser of untrustedParsers) {
  const { name, limit, shapes, isJson = false } = parser;
  test(`${name} takes time linear in its length, whatever its shape (${parser.in})`, async () => {
    const read = reading(parser);
    for (const shape of shapes) {
      const most = shape(limit);
      const complaint = await costProblemOf(read, {
        most,
        quarter: () => shape(limit / 4),
        json: () => (isJson ? most : JSON.stringify(most)),
      });
      assert.is(complaint, undefined, `${most.slice(0, 80)}…: ${complaint ?? ''}`);
    }
  });
}
