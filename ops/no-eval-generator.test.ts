import { suite } from '../contracts/testing/suite.js';
import { mustPassWithoutEval } from './testing/without-eval.js';

const test = suite('no code from strings in the generator');

const emitters = ['decoder', 'encoder', 'redactor', 'graphql', 'codec'];

test('the generator and the codecs that it makes run no code from strings', () => {
  mustPassWithoutEval([
    ...emitters.map((name) => `endpoints/generator/emit/${name}`),
    'endpoints/generator/discover/type-reader',
  ]);
});
