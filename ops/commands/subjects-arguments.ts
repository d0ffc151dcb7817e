import { argumentsOf, reasonIn, usageOf } from './arguments.js';

/** A checked call of `svc subjects`. */
interface SubjectsArguments {
  readonly id: string;
  readonly reason: string;
  readonly json: boolean;
}

const options = { reason: { type: 'string' }, json: { type: 'boolean' } } as const;
const maxIdLength = 1_000;

export function parseSubjects(args: readonly string[]): SubjectsArguments {
  const { values, positionals } = argumentsOf(args, options, usage);
  const [action, id, ...rest] = positionals;
  if (action !== 'forget' || id === undefined || rest.length > 0)
    throw usage('Give one action and one id: svc subjects forget ID --reason R');
  if (id === '' || id.length > maxIdLength || id.includes('\0'))
    throw usage(`The id of a subject is a text of 1 to ${maxIdLength} characters`);
  const reason = reasonIn(values.reason, usage);
  if (reason === undefined) throw usage('Say why with --reason: forgetting cannot be undone');
  return { id, reason, json: values.json === true };
}

const usage = usageOf('subjects');
