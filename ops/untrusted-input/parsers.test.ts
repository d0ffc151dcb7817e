import { suite } from '../../contracts/testing/suite.js';
import { documentParsers, untrustedParsers } from './parsers.js';
import { mustBeLinear } from '../testing/linear-parsers.js';

const test = suite('parsers');

mustBeLinear(
  test,
  untrustedParsers.filter((parser) => !documentParsers.includes(parser)),
);
