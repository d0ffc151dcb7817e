import { suite } from '../../contracts/testing/suite.js';
import { documentParsers, mostOfHead, untrustedParsers } from './parsers.js';
import { mustBeLinear } from '../testing/linear-parsers.js';

const test = suite('parsers of long texts');

mustBeLinear(
  test,
  untrustedParsers.filter((parser) => !documentParsers.includes(parser) && parser.limit > mostOfHead),
);
