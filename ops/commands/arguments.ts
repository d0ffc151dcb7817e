import { parseArgs, type ParseArgsConfig } from 'node:util';
import { Problem } from '../../contracts/problems.js';

type Options = NonNullable<ParseArgsConfig['options']>;
type Usage = (detail: string) => Problem;
type Arguments<T extends Options> = ReturnType<typeof parseArgs<{ options: T; allowPositionals: true }>>;
type ParsedOptions<T extends Options> = ReturnType<typeof parseArgs<{ options: T }>>['values'];

/** An error in the arguments of a verb. */
export const usageOf =
  (verb: string): Usage =>
  (detail) =>
    new Problem('usage', { detail: `${detail}; see svc ${verb} --help.` });

/** The options and positional arguments after a verb. */
export const argumentsOf = <const T extends Options>(
  args: readonly string[],
  options: T,
  usage: Usage,
): Arguments<T> =>
  orUsageProblem(usage, () => parseArgs({ args: [...args], options, allowPositionals: true }));

/** The options of a verb that takes no positional arguments. */
export const optionsOf = <const T extends Options>(
  args: readonly string[],
  options: T,
  usage: Usage,
): ParsedOptions<T> => orUsageProblem(usage, () => parseArgs({ args: [...args], options })).values;

function orUsageProblem<T>(usage: Usage, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw usage((error as Error).message.split('.')[0] ?? '');
  }
}
