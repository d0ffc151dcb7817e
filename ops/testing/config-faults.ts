import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { readConfig } from '../config/config.js';

/** What `svc start` would answer to this environment; `none` when it would start. */
export function faultsOf(env: Readonly<Record<string, string>>): string {
  try {
    readConfig(env);
    return 'none';
  } catch (error) {
    assert.instance(error, Problem);
    return (error as Problem).message;
  }
}
