import * as assert from 'uvu/assert';
import { errorText } from '../terminal/error-text.js';
import type { Verb } from '../cli/verb.js';
import { verbs } from '../verbs.js';

/** Runs `svc` as if it were a process of its own, but one at a time: it has the environment of this process. */
export async function svcInProcess([name, ...args]: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const verb = await verbs.find((listed) => listed.name === name)?.load();
  assert.ok(verb, `svc ${name}`);
  const before = { ...process.env };
  const settings = Object.keys(before).filter((key) => /^(SVC_(?!TEST_POSTGRES)|DATABASE_)/.test(key));
  for (const key of settings) delete process.env[key];
  Object.assign(process.env, { SVC_PORT: '0', ...env });
  try {
    const { status, stdout, stderr } = await runVerbInProcess(verb, args);
    return { code: status, stdout, stderr };
  } finally {
    for (const key of ['SVC_PORT', ...Object.keys(env)]) delete process.env[key];
    Object.assign(process.env, before);
  }
}

/** Runs a verb in this process: starting `svc` takes longer than most verbs do. */
export async function runVerbInProcess(verb: Verb, args: readonly string[]) {
  const stdout = captured(process.stdout);
  const stderr = captured(process.stderr);
  const codeBefore = process.exitCode;
  process.exitCode = 0;
  try {
    await verb.run(args).catch((error: unknown) => {
      process.stderr.write(errorText(error));
      process.exitCode = 1;
    });
    return { status: process.exitCode, stdout: stdout.text(), stderr: stderr.text() };
  } finally {
    process.exitCode = codeBefore;
    stdout.release();
    stderr.release();
  }
}

function captured(stream: NodeJS.WriteStream) {
  const write: unknown = Reflect.get(stream, 'write');
  const texts: string[] = [];
  Reflect.set(stream, 'write', (text: string) => void texts.push(text));
  return { text: () => texts.join(''), release: () => Reflect.set(stream, 'write', write) };
}
