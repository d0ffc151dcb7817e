import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { messagePipe, type Message, type Report } from './messages.js';

/** Examples test themselves as a user's service does. A file with one of our suites may contain such a test as text. */
export async function usesNodeTest(file: string): Promise<boolean> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return /^import .* from ['"]node:test['"];$/m.test(text) && !text.includes('/testing/suite.js"');
}

/** Runs the file in a process of its own: what node:test starts in a process ends with it. */
export async function runNodeTests(file: string, started: (test: string) => void): Promise<Report> {
  const reporter = new URL('node-test-reporter.js', import.meta.url).href;
  const args = [
    '--enable-source-maps',
    `--test-reporter=${reporter}`,
    '--test-reporter-destination=stdout',
    file,
  ];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit', 'pipe'] });
  const closed = once(child, 'close');
  let report: Report | undefined;
  for await (const line of createInterface(child.stdio[messagePipe] as Readable)) {
    const message = JSON.parse(line) as Message;
    if ('started' in message) started(message.started);
    else report = message.finished;
  }
  const [code, signal] = (await closed) as [number | null, string | null];
  const ended = `ended with ${signal ?? `code ${code}`}`;
  if (!report) return { tests: 0, passed: 0, problems: [`${ended} before its tests had finished`], left: [] };
  const isRed = report.passed < report.tests || report.problems.length > 0;
  return code === 0 || isRed ? report : { ...report, problems: [`${ended} after its tests had finished`] };
}
