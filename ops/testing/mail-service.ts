import { assign } from 'xstate';
import type { Process } from '../../actors/processes/process.js';
import { processSetup, shape } from '../../actors/processes/process-setup.js';
import type { Decider } from '../../contracts/decider.js';
import type { StoredEvent } from '../../contracts/event-store.js';
import { Command, Event } from '../../contracts/message.js';
import type { Perspective } from '../../contracts/perspective.js';
import { Problem } from '../../contracts/problems.js';
import { later, type Reaction } from '../../contracts/reaction.js';
import type { Dispatcher, UnitOfWork } from '../../contracts/receptor.js';
import { hide, redactObject } from '../../contracts/redaction.js';
import type { SealedField } from '../../contracts/sealing.js';
import type { Uuid } from '../../contracts/scalars.js';
import { receptor, redaction } from '../../endpoints/registrations.js';
import type { ServiceDefinition } from '../../endpoints/service-definition.js';

/** A customer and the address, which belongs to that customer. */
interface Addressed {
  customerId: Uuid;
  email: string | null;
}

export class Register extends Command implements Addressed {
  declare customerId: Uuid;
  declare email: string | null;
}
class SendMail extends Command implements Addressed {
  declare customerId: Uuid;
  declare email: string | null;
  declare by: string;
}
class Confirm extends Command implements Addressed {
  declare customerId: Uuid;
  declare email: string | null;
}
export class Move extends Command implements Addressed {
  declare customerId: Uuid;
  declare email: string | null;
}
class Registered extends Event implements Addressed {
  declare customerId: Uuid;
  declare email: string | null;
}
class Moved extends Event implements Addressed {
  declare customerId: Uuid;
  declare email: string | null;
}
class Mailed extends Event {
  declare customerId: Uuid;
  declare by: string;
  declare to: 'address' | 'nobody' | 'other';
}

const mail = (to: Addressed, by: string): SendMail =>
  SendMail.of({ customerId: to.customerId, email: to.email, by });

const remind: Reaction<Registered> = {
  name: 'remind',
  events: [Registered],
  react: ({ payload }) => [
    mail(payload, 'reaction'),
    later(mail(payload, 'later'), { in: 'PT0.2S' }),
    later(mail(payload, 'later-still'), { in: 'P1D' }),
  ],
};

const greeting = processSetup({
  events: { Registered },
  commands: { SendMail, Confirm },
  context: shape<Addressed & { reason: string }>(),
  delays: { soon: 200, tomorrow: 86_400_000 },
}).createMachine({
  id: 'greeting',
  context: ({ input }) => ({ customerId: input.data.customerId, email: input.data.email, reason: '' }),
  initial: 'confirming',
  states: {
    confirming: {
      entry: {
        type: 'send',
        params: ({ context: { customerId, email } }) => Confirm.of({ customerId, email }),
      },
      on: {
        'Confirm.refused': {
          target: 'greeting',
          actions: assign({ reason: ({ event }) => `${event.problem.code} ${event.problem.detail ?? ''}` }),
        },
      },
    },
    greeting: { after: { soon: 'greeted' } },
    greeted: {
      entry: { type: 'send', params: ({ context }) => mail(context, 'process') },
      after: { tomorrow: 'done' },
    },
    done: { type: 'final' },
  },
});

class Greeting implements Process<typeof greeting> {
  readonly name = 'greeting';
  readonly version = 1;
  readonly machine = greeting;
  readonly starts = [Registered];
  key = ({ payload }: StoredEvent<Addressed>) => payload.customerId;
}

const commands = { Move };
class Addresses implements Decider<{ readonly emails: readonly (string | null)[] }, Moved, typeof commands> {
  readonly name = 'address';
  readonly version = 1;
  readonly commands = commands;
  stream = ({ customerId }: Move): Uuid => customerId;
  initial = () => ({ emails: [] as readonly (string | null)[] });
  evolve = (
    { emails }: { readonly emails: readonly (string | null)[] },
    { payload }: StoredEvent<Moved>,
  ) => ({
    emails: [...emails, payload.email ?? null],
  });
  decide = { Move: ({ customerId, email }: Move) => Moved.of({ customerId, email }) };
}

const addresses: Perspective<{ readonly email: string | null }, Registered> = {
  name: 'addresses',
  events: [Registered],
  initial: () => ({ email: null }),
  apply: (_, { payload }) => ({ email: payload.email }),
};

function register({ customerId, email }: Register, work: UnitOfWork): void {
  work.reserve('email', email ?? '', { owner: customerId });
  work.append(customerId, Registered.of({ customerId, email }));
  work.schedule(mail({ customerId, email }, 'timer'), { in: 'PT0.2S' });
  work.schedule(mail({ customerId, email }, 'timer-later'), { in: 'P1D', name: 'mail', key: customerId });
}

const refuse = ({ email }: Confirm): never => {
  throw new Problem('unconfirmed', { status: 409, detail: `${email} is not confirmed.` });
};

const fields: readonly SealedField[] = [{ path: ['email'], subject: 'customerId', subjectIn: 'object' }];
const messages = [Register, SendMail, Confirm, Move, Registered, Moved];

interface MailOptions {
  readonly dispatchers: Dispatcher[];
  /** Whether a mail has the address that its customer registered. */
  readonly isRight: (command: SendMail) => boolean;
  readonly fails: (command: SendMail) => boolean;
}

/** Hands the address of a customer on in every way that there is. */
export const mailService = ({ dispatchers, isRight, fails }: MailOptions): ServiceDefinition => ({
  name: 'mail',
  create: (dispatcher) => {
    dispatchers.push(dispatcher);
    return {
      endpoints: [],
      receptors: [
        receptor(Register, { handle: register }),
        receptor(Confirm, { handle: refuse }),
        receptor(SendMail, {
          handle: (command, work) => {
            const { customerId, email, by } = command;
            if (fails(command)) throw new Error(`${email} does not answer`);
            const to = email === null ? 'nobody' : isRight(command) ? 'address' : 'other';
            work.append(customerId, Mailed.of({ customerId, by, to }), { expectedPosition: 'any' });
          },
        }),
      ],
      deciders: [{ decider: new Addresses() }],
      perspectives: [addresses],
      reactions: [remind],
      processes: [new Greeting()],
      events: [Registered, Moved, Mailed],
      redactions: messages.map((type) =>
        redaction(type as typeof Register, (message) => redactObject(message, { email: hide })),
      ),
      sealed: messages.map((type) => ({ type, fields })),
    };
  },
});
