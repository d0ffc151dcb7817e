import { suite } from '../../contracts/testing/suite.js';
import { documentParsers } from './parsers.js';
import { mustBeLinear } from '../testing/linear-parsers.js';

const test = suite('parsers of documents');

mustBeLinear(test, documentParsers);
