import * as assert from 'uvu/assert';
import { runVerbInProcess } from './in-process-cli.js';
import { add } from '../commands/add.js';

export const svcAdd = (dir: string, ...args: readonly string[]) =>
  runVerbInProcess(add, [...args, '--app', dir]);

/** The one line that says why nothing was added. */
export async function refusal(dir: string, ...args: readonly string[]): Promise<string> {
  const { status, stdout, stderr } = await svcAdd(dir, ...args);
  assert.equal([status, stdout], [1, '']);
  assert.match(stderr, /^svc: [^\n]+; see svc add --help\.\n$/);
  return stderr.slice('svc: '.length, -'; see svc add --help.\n'.length);
}
