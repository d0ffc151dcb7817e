import { mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join, posix, relative, resolve } from 'node:path';
import type { ServiceModel } from '../../endpoints/generator/model/service-model.js';
import { kebab, specifier } from '../../endpoints/generator/model/generated-paths.js';
import {
  commandSkeleton,
  defaultField,
  eventSkeleton,
  type Field,
  isNeeded,
  perspectiveSkeleton,
  scalars,
} from '../create/skeletons.js';
import {
  deciderClasses,
  deciderSkeleton,
  effectClass,
  effectSkeleton,
  processSkeleton,
  reactionSkeleton,
} from '../create/reaction-skeletons.js';
import { webhookClasses, webhooksSkeleton } from '../create/webhooks-skeleton.js';
import { printToStderr, printToStdout } from '../terminal/print.js';
import { argumentsOf, usageOf } from './arguments.js';
import { generatorOf } from '../dev/service-generator.js';

const usage = usageOf('add');

export async function runAdd(args: readonly string[]): Promise<void> {
  const { kind, name, rest, app, json } = parse(args);
  const generator = await generatorOf(resolve(app));
  const model = generator.peek();
  const isFolder = kind === 'webhooks';
  for (const taken of isFolder ? webhookClasses : [name]) mustBeNew(taken, model);
  const file = posix.join(model.sourceRoot ?? '', isFolder ? 'webhooks/sender' : kebab(name));
  const texts = filesOf(await skeletons[kind](name, rest, { model, file }), basename(file));
  const folder = join(generator.root, dirname(file));
  await mkdir(folder, { recursive: true });
  for (const [named, text] of texts) await writeNew(join(folder, named), text);
  const written = isFolder ? folder : join(generator.root, `${file}.ts`);
  if (json) printToStdout(`${JSON.stringify({ file: written })}\n`);
  else printToStderr(`wrote ${relative(process.cwd(), written)}\n`);
}

/** A skeleton is one text, or several by file. */
const filesOf = (skeleton: Awaited<ReturnType<Skeleton>>, name: string): (readonly [string, string])[] =>
  typeof skeleton === 'string' ? [[`${name}.ts`, skeleton]] : Object.entries(skeleton);

interface Surroundings {
  readonly model: ServiceModel;
  readonly file: string;
}

type Skeleton = (
  name: string,
  rest: readonly string[],
  surroundings: Surroundings,
) => string | Promise<Readonly<Record<string, string>>>;

const skeletons = {
  command: (name, rest, { model }) => commandSkeleton(name, fieldsOf(rest), resourceOf(name, model)),
  event: (name, rest) => eventSkeleton(name, fieldsOf(rest)),
  perspective: (name, rest, surroundings) => perspectiveSkeleton(name, eventsOf(rest, surroundings)),
  reaction: (name, rest, surroundings) => reactionSkeleton(name, eventsOf(rest, surroundings)),
  process: (name, rest, surroundings) => processSkeleton(name, eventsOf(rest, surroundings)),
  decider: (name, rest, { model }) => {
    if (rest.length > 0) throw usage('A decider takes its name alone');
    for (const taken of Object.values(deciderClasses(name))) mustBeNew(taken, model);
    return deciderSkeleton(name);
  },
  effect: (name, rest, { model }) => {
    mustBeNew(effectClass(name), model);
    return effectSkeleton(name, fieldsOf(rest));
  },
  webhooks: (_, rest, surroundings) => webhooksSkeleton(eventsOf(rest, surroundings)),
} satisfies Readonly<Record<string, Skeleton>>;

type Kind = keyof typeof skeletons;

const isKind = (word: string | undefined): word is Kind =>
  word !== undefined && Object.hasOwn(skeletons, word);

function parse(args: readonly string[]) {
  const options = {
    app: { type: 'string', default: '.' },
    json: { type: 'boolean', default: false },
  } as const;
  const { values, positionals } = argumentsOf(args, options, usage);
  const [kind, ...words] = positionals;
  if (!isKind(kind)) throw usage(`Name what to add: ${Object.keys(skeletons).join(', ')}`);
  const [name, ...rest] = kind === 'webhooks' ? ['Webhooks', ...words] : words;
  if (name === undefined || !/^[A-Z][A-Za-z0-9]{0,99}$/.test(name))
    throw usage(`Name the ${kind} in PascalCase, such as ${examples[kind]}`);
  if (isNeeded(name)) throw usage(`${name} is a name of JavaScript or of svc-runtime; choose another`);
  mustBeDistinct(rest.map((word) => word.split(/[?:]/, 1)[0]));
  return { kind, name, rest, ...values };
}

function mustBeDistinct(names: readonly (string | undefined)[]): void {
  const twice = names.find((name, n) => names.indexOf(name) < n);
  if (twice !== undefined) throw usage(`'${twice}' is named twice`);
}

const examples: Readonly<Record<Kind, string>> = {
  command: 'ReturnBook',
  event: 'BookReturned',
  perspective: 'Readers',
  reaction: 'NotifyReader',
  process: 'LoanReminder',
  decider: 'Shelf',
  effect: 'SendSms',
  webhooks: 'Webhooks',
};

function mustBeNew(name: string, model: ServiceModel): void {
  const { commands, events, perspectives, deciders, reactions, processes, effects } = model;
  const all = [...commands, ...events, ...perspectives, ...deciders, ...reactions, ...processes, ...effects];
  const taken = all.find((found) => found.name === name);
  if (taken !== undefined) throw usage(`There is a ${name} already, in ${taken.file}.ts`);
}

const types = ['string', 'number', 'boolean', ...scalars];

function fieldsOf(words: readonly string[]): readonly Field[] {
  if (words.length === 0) return [defaultField];
  return words.map((word) => {
    const [, name, mark, type = 'string'] = /^([a-z][A-Za-z0-9]{0,99})(\?)?(?::(\w+))?$/.exec(word) ?? [];
    // The one name that a member of a class cannot have.
    if (name === undefined || name === 'constructor')
      throw usage(`'${word}' is not a field; write a name and a type, such as bookId:Uuid`);
    if (!types.includes(type)) throw usage(`'${type}' is not a field type; use ${types.join(', ')}`);
    return { name, type, optional: mark !== undefined };
  });
}

/** The resource of a command about the same thing, as `ReturnBook` and `BorrowBook` are; otherwise the thing itself. */
function resourceOf(name: string, { commands }: ServiceModel): string {
  const thing = thingOf(name);
  const related = commands.filter((command) => thingOf(command.name) === thing);
  const [resource] = related.flatMap(({ permission }) => /^([\w-]+):/.exec(permission ?? '')?.[1] ?? []);
  return resource ?? thing;
}

/** What follows the verb. */
const thingOf = (name: string): string => kebab(name).replace(/^[^-]+-(?=.)/, '');

function eventsOf(names: readonly string[], { model: { events }, file }: Surroundings) {
  if (events.length === 0) throw usage('There is no event yet; add one first: svc add event <Name>');
  const found = names.map((name) => events.find((event) => event.name === name));
  const missing = names[found.indexOf(undefined)];
  if (missing !== undefined) throw usage(`There is no event ${missing}`);
  const chosen = names.length === 0 ? events : found.filter((event) => event !== undefined);
  return chosen.map((event) => ({ name: event.name, from: specifier(file, event.file) }));
}

async function writeNew(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text, { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw usage(`${relative(process.cwd(), path)} exists already; it is yours to change`);
  }
}
