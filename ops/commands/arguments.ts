import { parseArgs, type ParseArgsConfig } from 'node:util';
import { Problem } from '../../contracts/problems.js';
import { nearest } from '../terminal/did-you-mean.js';
import { printableLine } from '../../runtime/lang/printable.js';

type Options = NonNullable<ParseArgsConfig['options']>;
type Usage = (detail: string) => Problem;
type Arguments<T extends Options> = ReturnType<typeof parseArgs<{ options: T; allowPositionals: true }>>;
type ParsedOptions<T extends Options> = ReturnType<typeof parseArgs<{ options: T }>>['values'];

/** An error in the arguments of a verb, on one line: what was typed may hold line breaks, and be long. */
export const usageOf =
  (verb: string): Usage =>
  (detail) =>
    new Problem('usage', { detail: `${shortened(printableLine(detail))}; see svc ${verb} --help.` });

const mostOfValue = 80;
const mostOfDetail = 500;

/** Shortens what is quoted first, so that the reason stays. */
function shortened(detail: string): string {
  const text = detail.replaceAll(/'([^']+)'/g, (quoted, value: string) =>
    value.length > mostOfValue ? `'${value.slice(0, mostOfValue)}…'` : quoted,
  );
  return text.length > mostOfDetail ? `${text.slice(0, mostOfDetail)}…` : text;
}

const mostOfReason = 500;

/** Why an operator does something; a blank text is not a reason. */
export function reasonIn(text: string | undefined, usage: Usage): string | undefined {
  const reason = text?.trim() || undefined;
  if (reason === undefined || (reason.length <= mostOfReason && !/\p{Cc}/u.test(reason))) return reason;
  throw usage(`--reason must be a text of at most ${mostOfReason} characters in one line`);
}

/** The options and positional arguments after a verb. */
export const argumentsOf = <const T extends Options>(
  args: readonly string[],
  options: T,
  usage: Usage,
): Arguments<T> =>
  orUsageProblem(usage, options, () => parseArgs({ args: [...args], options, allowPositionals: true }));

/** The options of a verb that takes no positional arguments. */
export const optionsOf = <const T extends Options>(
  args: readonly string[],
  options: T,
  usage: Usage,
): ParsedOptions<T> => orUsageProblem(usage, options, () => parseArgs({ args: [...args], options })).values;

function orUsageProblem<T>(usage: Usage, options: Options, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw usage(faultIn((error as Error).message, Object.keys(options)));
  }
}

function faultIn(message: string, options: readonly string[]): string {
  const fault = message.split('.')[0] ?? '';
  const unknown = /^Unknown option '--([\w-]+)'$/.exec(fault)?.[1];
  if (unknown === undefined) return fault;
  const near = nearest(unknown, options);
  return near === undefined ? fault : `${fault}, did you mean --${near}?`;
}
