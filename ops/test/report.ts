/** The result of one test file. */
export interface FileResult {
  readonly file: string;
  readonly tests: number;
  readonly passed: number;
  /** What went wrong outside a test: a hook, a timeout, an early exit, a skipped test. */
  readonly problems: readonly string[];
  /** What was still open when its tests had finished. */
  readonly left: readonly string[];
  readonly output: string;
  readonly ms: number;
}

/** Something other than a test file that failed the run. */
export function failedResult(what: string, problem: string): FileResult {
  return { file: what, tests: 0, passed: 0, problems: [problem], left: [], output: '', ms: 0 };
}

/** A run without a single test proves nothing, so it is not green; nor is one that was slow where that counts. */
export function isGreen(results: readonly FileResult[], slowFails = false): boolean {
  if (slowFails && results.some(isSlow)) return false;
  return sum(results, failures) === 0 && sum(results, ({ passed }) => passed) > 0;
}

export function isRed(result: FileResult): boolean {
  return failures(result) > 0;
}

/** One line for a file that passed; for one that failed also its problems and everything it printed. */
export function fileLines(result: FileResult): string[] {
  const ms = `${Math.round(result.ms)} ms`;
  if (failures(result) === 0) return [`✓ ${result.file}  ${count(result.tests)}  ${ms}`];
  return [
    `✗ ${result.file}  ${result.passed} of ${count(result.tests)} passed  ${ms}`,
    ...result.problems.map((problem) => `  ✗ ${problem}`),
    ...indented(result.output),
  ];
}

/** Files that take longer should be split, or marked as long. */
const slowMs = 20_000;

const isSlow = ({ ms }: FileResult): boolean => ms > slowMs;

/** Which files left something open, which were slow, which failed and how, any notes, and the closing line. */
export function summaryLines(results: readonly FileResult[], notes: readonly string[] = []): string[] {
  const untidy = results.filter(({ left }) => left.length > 0);
  const red = results.filter(isRed);
  return [
    ...(results.length === 0 ? ['No test file was run.'] : []),
    ...listed(
      'Left open, so that a new process went on:',
      untidy.map(({ file, left }) => `${file}  ${[...new Set(left)].join(', ')}`),
    ),
    ...listed(
      'Over 20 s:',
      results
        .filter(isSlow)
        .toSorted((a, b) => b.ms - a.ms)
        .map(({ file, ms }) => `${file}  ${Math.round(ms / 1_000)} s`),
    ),
    ...listed('Failed:', results.length > 1 ? red.flatMap(failureLines) : red.map(({ file }) => file)),
    '',
    ...notes,
    `${sum(results, ({ passed }) => passed)} passed, ${sum(results, failures)} failed`,
  ];
}

/** Again at the end: in the log of a long run nobody finds the place where a file failed. */
function failureLines({ file, problems, output }: FileResult): string[] {
  const lines = [...problems.map((problem) => `  ✗ ${problem}`), ...indented(output)];
  const cut =
    lines.length > longestFailure ? [`    (${lines.length - longestFailure} more lines above)`] : [];
  return [file, ...lines.slice(0, longestFailure), ...cut];
}

const longestFailure = 40;

function listed(heading: string, files: readonly string[]): string[] {
  return files.length === 0 ? [] : ['', heading, ...files.map((file) => `  ${file}`.trimEnd())];
}

function failures({ tests, passed, problems }: FileResult): number {
  return tests - passed + problems.length;
}

function indented(output: string): string[] {
  const text = output.trimEnd();
  return text === '' ? [] : text.split('\n').map((line) => `    ${line}`.trimEnd());
}

function count(tests: number): string {
  return tests === 1 ? '1 test' : `${tests} tests`;
}

function sum(results: readonly FileResult[], number: (result: FileResult) => number): number {
  return results.reduce((total, result) => total + number(result), 0);
}
