import { writeSync } from 'node:fs';
import { messagePipe, type Message } from './messages.js';
import { failureText } from './failure-text.js';

interface TestEvent {
  readonly type: string;
  readonly data: {
    readonly name?: string;
    readonly message?: string;
    readonly skip?: string | boolean;
    readonly todo?: string | boolean;
    readonly details?: { readonly type?: string; readonly duration_ms: number; readonly error?: Error };
  };
}

/** A reporter for `node --test-reporter`: reports to the worker as one of our suites would. */
export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const problems: string[] = [];
  const sum = { tests: 0, passed: 0 };
  for await (const { type, data } of events) {
    const { name = '', message = '', details } = data;
    if (type === 'test:dequeue') send({ started: name });
    // From something that a test left running.
    if (type === 'test:diagnostic' && /^(?:Warning|Error):/.test(message)) problems.push(message);
    if (!details || details.type === 'suite' || !/^test:(?:pass|fail)$/.test(type)) continue;
    sum.tests++;
    if (data.skip !== undefined || data.todo !== undefined)
      problems.push(`skipped tests are not allowed: "${name}"`);
    if (type === 'test:pass') sum.passed++;
    else {
      const error = details.error?.cause ?? details.error;
      yield failureText({ name, ms: details.duration_ms, failures: [{ error }] });
    }
  }
  send({ finished: { ...sum, problems, left: [] } });
}

const send = (message: Message): void => void writeSync(messagePipe, `${JSON.stringify(message)}\n`);
