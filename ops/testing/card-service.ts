import { trace } from '@opentelemetry/api';
import { BasicTracerProvider, SimpleSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base';
import type { Process } from '../../actors/processes/process.js';
import { processSetup, shape } from '../../actors/processes/process-setup.js';
import { type Decode, invalid, object, text } from '../../contracts/codec.js';
import { CommandEndpoint } from '../../contracts/command-endpoint.js';
import { Command, Event } from '../../contracts/message.js';
import type { Perspective } from '../../contracts/perspective.js';
import { Problem } from '../../contracts/problems.js';
import type { Reaction } from '../../contracts/reaction.js';
import type { Behavior, Dispatcher, Receptor } from '../../contracts/receptor.js';
import { hide, redactObject } from '../../contracts/redaction.js';
import { Permission } from '../../contracts/permission.js';
import type { Upcaster } from '../../contracts/upcaster.js';
import { newUuid } from '../../contracts/uuid.js';
import { endpoint, receptor, redaction } from '../../endpoints/registrations.js';
import type { ServiceDefinition } from '../../endpoints/service-definition.js';
import { HookedEndpoint, type Hooks } from '../../endpoints/testing/hooked-endpoint.js';
import { addUpcasters } from '../../runtime/service/add-upcasters.js';
import { CardPaid, CardPayer, PayByCard } from './card-payer.js';

/** Prints every span. */
const exporter: SpanExporter = {
  export: (spans, done) => {
    for (const { name, attributes, status, events } of spans)
      process.stderr.write(`${JSON.stringify({ name, attributes, status, events })}\n`);
    done({ code: 0 });
  },
  shutdown: () => Promise.resolve(),
};
const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
trace.setGlobalTracerProvider(provider);

/** Where the service fails, with the secret in the message of its error. */
type Mishap =
  | 'before'
  | 'handler'
  | 'text'
  | 'cause'
  | 'problem'
  | 'after'
  | 'recovering'
  | 'deferred'
  | 'apply'
  | 'key'
  | 'column'
  | 'behavior'
  | 'upcaster'
  | 'react'
  | 'reaction'
  | 'timer'
  | 'context'
  | 'process'
  | 'unstorable';

@CommandEndpoint<StoreCard, unknown>({
  restRoute: '/cards',
  graphQLMutation: 'storeCard',
  permission: Permission.write('cards'),
})
class StoreCard extends Command {
  card!: string;
  mishap!: string;
}

@CommandEndpoint<RenewCard, unknown>({ restRoute: '/cards/renew', permission: Permission.write('cards') })
class RenewCard extends StoreCard {}

class CardStored extends Event {
  static readonly version = 2;
  card!: string;
  mishap!: string;
}

const failsOn = ({ card, mishap }: Pick<StoreCard, 'card' | 'mishap'>, place: Mishap): void => {
  if (mishap === place) throw new TypeError(`The ${place} cannot handle ${card}.`);
};

const hooks: Hooks<StoreCard> = {
  before: (command) => failsOn(command, 'before'),
  after: (command) => failsOn(command, 'after'),
  recover: (command) => failsOn(command, 'recovering'),
};

const failures: Partial<Record<Mishap, (card: string) => unknown>> = {
  handler: (card) => new TypeError(`No such card: ${card}`),
  recovering: (card) => new TypeError(`No such card: ${card}`),
  text: (card) => `no such card: ${card}`,
  cause: (card) => new TypeError('outer', { cause: new TypeError(`No such card: ${card}`) }),
  problem: (card) => new Problem('card-lost', { status: 500, title: 'Lost', cause: new TypeError(card) }),
};

const store: Receptor<StoreCard, unknown> = {
  handle: ({ card, mishap }, work) => {
    const failure = failures[mishap as Mishap]?.(card);
    if (failure !== undefined) throw failure;
    work.append(newUuid(), CardStored.of({ card: mishap === 'unstorable' ? `${card}\0` : card, mishap }));
    if (mishap === 'deferred') work.defer(() => Promise.reject(new TypeError(`Later: ${card}`)));
    return { status: 'stored' };
  },
};

/** Fails because of the command that it invokes. */
const renewing = (dispatcher: Dispatcher): Receptor<RenewCard, unknown> => ({
  handle: ({ card }, { signal, context }) =>
    dispatcher.localInvoke(StoreCard.of({ card, mishap: 'handler' }), signal, context),
});

const cards: Perspective<unknown, CardStored> = {
  name: 'cards',
  events: [CardStored],
  route: '/cards',
  permission: Permission.read('cards'),
  snapshotEvery: 1,
  initial: () => ({ card: '' }),
  apply: (_, { payload }) => {
    failsOn(payload, 'apply');
    return { card: payload.card };
  },
};

/** Everything else in a perspective that can fail. */
const cardList: Perspective<Pick<CardStored, 'card' | 'mishap'>, CardStored> = {
  name: 'card-list',
  events: [CardStored],
  route: '/card-list',
  permission: Permission.read('cards'),
  late: 'apply',
  columns: { last: { type: 'text', of: (row) => (failsOn(row, 'column'), row.card.slice(-1)) } },
  key: ({ payload, streamId }) => (failsOn(payload, 'key'), streamId),
  initial: () => ({ card: '', mishap: '' }),
  apply: (_, { payload: { card, mishap } }) => ({ card, mishap }),
  authorize: ({ card }) => {
    throw new TypeError(`Nobody may read ${card}.`);
  },
};

const behavior: Behavior = {
  handle: async (command, next) => {
    const result = await next();
    failsOn(command as StoreCard, 'behavior');
    return result;
  },
};

const upcaster: Upcaster = {
  type: CardStored,
  from: 1,
  up: (payload) => {
    failsOn(payload as CardStored, 'upcaster');
    return payload;
  },
};

class ChargeCard extends StoreCard {}
class RemindOfCard extends StoreCard {}
class CheckCard extends StoreCard {}

const charge: Reaction<CardStored> = {
  name: 'charge-card',
  events: [CardStored],
  attempts: 1,
  react: ({ payload }) => {
    failsOn(payload, 'react');
    const { card, mishap } = payload;
    return mishap === 'reaction' || mishap === 'timer' ? ChargeCard.of({ card, mishap }) : [];
  },
};

const charging: Receptor<ChargeCard, void> = {
  handle: (command, work) => {
    failsOn(command, 'reaction');
    const { card, mishap } = command;
    work.schedule(RemindOfCard.of({ card, mishap }), { in: 'PT0.1S' });
  },
};

const declining: Receptor<StoreCard, void> = {
  handle: ({ card, mishap }) => {
    if (mishap === 'timer' || mishap === 'process')
      throw new Problem('card-declined', { status: 402, detail: `${card} was declined.` });
  },
};

const pay: Reaction<CardStored> = {
  ...charge,
  name: 'pay-by-card',
  react: ({ payload }) => PayByCard.of(payload),
};

/** Keeps the card in its context. */
const checking = processSetup({
  events: { CardStored },
  commands: { CheckCard },
  context: shape<{ card: string; mishap: string }>(),
}).createMachine({
  id: 'card-check',
  context: ({ input }) => {
    failsOn(input.data, 'context');
    return { card: input.data.card, mishap: input.data.mishap };
  },
  initial: 'checking',
  states: { checking: { entry: { type: 'send', params: ({ context }) => CheckCard.of(context) } } },
});

const cardCheck: Process = {
  name: 'card-check',
  version: 1,
  machine: checking,
  starts: [CardStored],
  key: ({ streamId }) => streamId,
};

const decodeAs =
  <T extends StoreCard>(create: () => T): Decode<T> =>
  (value, path, faults) => {
    const from = object(value, path, faults);
    if (from === undefined) return invalid;
    const card = text(from['card'], `${path}/card`, faults, { maxLength: 200 });
    return Object.assign(create(), { card, mishap: text(from['mishap'], `${path}/mishap`, faults) });
  };

const withoutCard = (message: unknown): unknown => redactObject(message, { card: hide });

const definition: ServiceDefinition = {
  name: 'cards',
  authenticate: ({ headers }) => {
    if (headers['x-mishap'] === 'authenticate')
      throw new TypeError(`Cannot read ${JSON.stringify(headers)}.`);
    return null;
  },
  configure: (service) =>
    void service.with(addUpcasters([upcaster])).with(({ behaviors }) => void behaviors.push(behavior)),
  create: (dispatcher) => ({
    endpoints: [
      endpoint({
        command: StoreCard,
        endpoint: new HookedEndpoint<StoreCard>(dispatcher, hooks),
        decode: decodeAs(() => new StoreCard()),
      }),
      endpoint({
        command: RenewCard,
        endpoint: new HookedEndpoint<RenewCard>(dispatcher, {}),
        decode: decodeAs(() => new RenewCard()),
      }),
    ],
    receptors: [
      receptor(StoreCard, store),
      receptor(RenewCard, renewing(dispatcher)),
      receptor(ChargeCard, charging),
      receptor(RemindOfCard, declining),
      receptor(CheckCard, declining),
    ],
    reactions: [{ ...charge, origin: 'all' }, pay],
    effects: [{ command: PayByCard, effect: new CardPayer() }],
    processes: [cardCheck],
    perspectives: [cards, cardList].map((one) => ({ ...one, origin: 'all' })),
    events: [CardStored, CardPaid],
    redactions: [
      ...[StoreCard, RenewCard, ChargeCard, RemindOfCard, CheckCard, PayByCard, CardStored].map((type) =>
        redaction(type, withoutCard),
      ),
    ],
    openApi: JSON.stringify({ openapi: '3.1.0', paths: {} }),
    // A card is no number: each one fails where it is read.
    schema: `type Query {
        cards(first: Int, after: String): Cards!
        cardList(filter: CardListFilter, first: Int, after: String): Cards!
      }
      type Cards { edges: [CardEdge!]! }
      type CardEdge { node: Card }
      type Card { card: Int }
      input CardListFilter { last: LastFilter }
      input LastFilter { eq: String }
      input StoreCardInput { card: String! mishap: String! }
      type Stored { status: String! }
      type Mutation { storeCard(command: StoreCardInput!): Stored }`,
  }),
};

export default definition;
