import { errorText } from '../error-text.js';
import type { Verb } from '../verb.js';

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
