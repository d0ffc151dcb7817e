import { Problem } from '../../contracts/problems.js';

const noSchemas = () => () => {
  throw new Problem('invalid-setup', { detail: 'A route has a schema; decode what it takes instead.' });
};

/** Generated code decodes bodies, so schema compilers need not be loaded: they are a hundred files. */
export const withoutSchemas = {
  compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas },
};
