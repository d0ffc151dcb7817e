import * as assert from 'uvu/assert';
import { seeds } from '../../contracts/testing/seeds.js';
import type { Test } from '../../contracts/testing/suite.js';
import { costProblemOf } from '../untrusted-input/parse-cost.js';
import type { UntrustedParser } from '../untrusted-input/untrusted-parser.js';

/** Long enough to show superlinear growth; a full run reads texts as long as they may be. */
const longEnough = seeds(32_768, Infinity);

/** A test for each parser. */
export function mustBeLinear(test: Test, parsers: readonly UntrustedParser[]): void {
  for (const parser of parsers)
    test(`${parser.name} takes time linear in its length, whatever its shape (${parser.in})`, () =>
      isLinear(parser));
}

async function isLinear(parser: UntrustedParser): Promise<void> {
  const { shapes, isJson = false } = parser;
  const limit = Math.min(parser.limit, longEnough);
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
}

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
